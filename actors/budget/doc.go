// Package budget counts what sessions use against their limits (protocol/spec.md §4.12). It is pure: whoever knows what was used tells it, and does what it
// says. A Rule compares what is used with limits; a Ledger adds up what the sessions of trees and of owners use together.
package budget
