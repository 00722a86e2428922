// Package keys reads what a terminal sends while somebody types: bytes in, keys out. It is pure.
package keys
