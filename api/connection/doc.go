// Package connection bounds the connections over TCP, and ends those on which nothing was said when the server ends. It knows nothing of what is asked on them
// but whose it is.
package connection
