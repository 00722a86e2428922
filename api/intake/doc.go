// Package intake takes in the bodies of requests: whole, in bounded time and memory, and before their handlers work.
package intake
