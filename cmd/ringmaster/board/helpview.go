package board

func (v *view) ofHelp() {
	room := max(0, v.rows-2)
	top := min(v.help.top, max(0, len(keyList)-room))
	v.add(v.style.Bold("keys"))
	for _, k := range keyList[top:min(len(keyList), top+room)] {
		v.add("  " + v.style.Accent(padded(k[0], 25)) + k[1])
	}
	if len(keyList) > room {
		v.foot("PgDn and PgUp show more, any other key leads back")
		return
	}
	v.foot("any key leads back")
}
