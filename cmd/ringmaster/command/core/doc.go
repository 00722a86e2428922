// Package core is the command core: what an operator does with Core, the database that keeps the logs beside the machines that they are made on.
package core
