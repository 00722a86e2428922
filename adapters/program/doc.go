// Package program finds the programs of agents and asks them for their versions.
package program
