// Package conformance has the tools, resources, prompts and tasks that the official conformance suite calls. It is empty but in builds with
// the tag conformance: a release build does not have them.
package conformance
