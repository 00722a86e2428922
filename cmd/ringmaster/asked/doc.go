// Package asked is what an agent asks of a person: how it is shown, with its diff and its reason, and which keys answer it. It is pure.
package asked
