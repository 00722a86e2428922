//go:build unix && !linux

package process

func unmark(int) {}
