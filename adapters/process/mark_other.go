//go:build unix && !linux

package process

func (mark) giveBelow(int) {}
