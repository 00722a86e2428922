// Package picture is the pictures of sessions as files: how one is named, how it is read for a prompt, and how it is written where a person can look at it.
package picture
