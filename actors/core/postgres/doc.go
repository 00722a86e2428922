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
//     default_query_exec_mode=cache_statement in the URL saves the database the planning. The append, which is asked for all the time, is a function in the
//     database, of which each connection of the server keeps the plan.
//   - A claim locks rows and waits for none: what others are at is left to them. It locks the first session of a family before all others of it. The
//     row of the node that claims, takes or beats is locked before those of sessions.
//   - Whether a lease has run out is asked of clock_timestamp(), which is read again for a row that was waited for. Epochs and lives are numbered by it too,
//     since a replica that had not seen the newest ones must not give their numbers again.
//   - All that a log, or a record of a session, may hold is bytes to the database, or was made text before (core.Record.Kept).
package postgres
