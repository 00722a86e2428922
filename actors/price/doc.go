// Package price works out what model requests cost, where an agent tells the tokens that it has used and not what they cost (protocol/spec.md §4.12). A
// Table is what a price file says. It is pure: bytes in, numbers out.
package price
