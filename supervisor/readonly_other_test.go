//go:build !linux

package supervisor_test

import "testing"

func mountReadOnly(t *testing.T, _ string) { t.Skip("nothing is read-only to the superuser here") }
