// Package postgres is the Core on PostgreSQL: schema and migrations, and one file for each group of statements.
//
// What the statements rest on, and what is not used:
//
//   - The row lock of an UPDATE is the whole protocol. Whoever waits for one sees the row as it was left, and PostgreSQL looks at the condition again. It needs
//     nothing above READ COMMITTED, which is also what transactions ask for, whatever the database's default is.
//   - A statement does not see what another one has committed since it began. So what must see all rows of a session is a statement of its own,
//     behind the one that has locked its row: Rewind and Remove are transactions for that, and for nothing else.
//   - No NOTIFY, advisory lock, setting of a session or prepared statement outlives a transaction: between node and database there may be a pooler that
//     gives each transaction another connection. Statements are described once and sent whole each time (pgx's cache_describe); where no pooler is,
//     default_query_exec_mode=cache_statement in the URL saves the database the planning.
//   - All that a log, or a record of a session, may hold is bytes to the database, or was made text before (core.Record.Kept).
package postgres
