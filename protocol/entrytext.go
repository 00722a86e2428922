package protocol

// EntryText is the main text of an entry's data, the one that is cut at ingestion (spec §4.5), and how it was cut.
func EntryText(d EntryData) (text string, cut Cut) {
	switch d := d.(type) {
	case *MessageData:
		return d.Text, d.Cut
	case *ToolCallData:
		return d.Output, d.Cut
	case *ToolResultData:
		return d.Output, d.Cut
	case *ThinkingData:
		return d.Text, d.Cut
	case *PlanData:
		return d.Text, Cut{}
	case *CompactionData:
		return d.Summary, d.Cut
	case *SystemData:
		return d.Text, d.Cut
	case *UnknownData:
	}
	return "", Cut{}
}
