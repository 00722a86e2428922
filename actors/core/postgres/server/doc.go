// Package server is a PostgreSQL server of one's own, made of the programs that are installed: in a folder of its own, on a loopback port, with one database
// and one user who may do nothing else. It is for trying Core on one machine. It knows no other server, and touches none.
package server
