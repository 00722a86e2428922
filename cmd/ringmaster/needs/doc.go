// Package needs says which session needs a person, and why: the list of sessions in groups, those first that a person should look at first. It is pure.
package needs
