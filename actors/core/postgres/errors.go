package postgres

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// SQLSTATEs that are told by themselves.
const (
	uniqueViolation    = "23505"
	duplicateTable     = "42P07"
	duplicateObject    = "42710"
	undefinedTable     = "42P01"
	undefinedColumn    = "42703"
	undefinedFunction  = "42883"
	undefinedDatabase  = "3D000"
	insufficientRights = "42501"
	readOnly           = "25006"
	deadlock           = "40P01"
	diskFull           = "53100"
	authorization      = "28" // the class, as the next
	badData            = "22"
	tooLarge           = "54"
)

func isDeadlock(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == deadlock
}

// told gives an error the type that the contract wants. Errors of pgx name user, host and database, and never the password.
func told(op string, err error) error {
	var away *core.AwayError
	var access *core.AccessError
	var schema *core.SchemaError
	var full *core.FullError
	if err == nil || errors.As(err, &away) || errors.As(err, &access) || errors.As(err, &schema) || errors.As(err, &full) {
		return err
	}
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		switch code := refused.Code; code {
		case undefinedTable, undefinedColumn, undefinedFunction:
			return &core.SchemaError{Want: Version}
		case undefinedDatabase:
			return &core.AccessError{Op: op, Err: err, Hint: "make the database, then run `ringmaster core migrate`"}
		case insufficientRights:
			return &core.AccessError{Op: op, Err: err, Hint: hintRights}
		case diskFull:
			return &core.FullError{Op: op, Err: err}
		case readOnly:
			return &core.AccessError{Op: op, Err: err, Hint: hintReadOnly}
		default:
			switch code[:min(2, len(code))] {
			case badData, tooLarge:
				return &core.RefusedError{Op: op, Err: err}
			case authorization:
				return &core.AccessError{Op: op, Err: err, Hint: hintLogin}
			}
		}
	}
	return &core.AwayError{Op: op, Err: err}
}

const (
	hintLogin  = "see to the user of --core, to the password in --core-password-file, and to pg_hba.conf of the server"
	hintRights = "GRANT the database's user SELECT, INSERT, UPDATE and DELETE on all tables of Ringmaster; " +
		"to migrate, it must own them, or be allowed to CREATE in their schema"
	hintReadOnly = "the database may only be read, as a standby may: give the address of the primary, or both with target_session_attrs=read-write"
)

// errAddress is the error of a URL that cannot be read. The reason is left out: it repeats parts of the URL, and that may be the password's.
func errAddress(op string) error {
	return &core.AccessError{
		Op: op, Err: errors.New("the database's URL cannot be read"),
		Hint: "want postgres://USER@HOST:PORT/DATABASE, where each character of the user that is no letter or digit is written as % and its code",
	}
}
