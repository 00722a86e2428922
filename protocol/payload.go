package protocol

// newPayload makes the empty payload of a type; nil means the type is not known.
func newPayload(t Type) Payload {
	switch t {
	case TypeSessionStart:
		return new(SessionStart)
	case TypeSessionEnd:
		return new(SessionEnd)
	case TypeSessionMeta:
		return new(SessionMeta)
	case TypeChildSession:
		return new(ChildSession)
	case TypeEpoch:
		return new(Epoch)
	case TypeTurnStart:
		return new(TurnStart)
	case TypeTurnEnd:
		return new(TurnEnd)
	case TypeEntryStart:
		return new(EntryStart)
	case TypeEntryDelta:
		return new(EntryDelta)
	case TypeEntryEnd:
		return new(EntryEnd)
	case TypeEntryMeta:
		return new(EntryMeta)
	case TypeRequestOpened:
		return new(RequestOpened)
	case TypeRequestResolved:
		return new(RequestResolved)
	case TypePromptQueued:
		return new(PromptQueued)
	case TypePromptMoved:
		return new(PromptMoved)
	case TypePromptRemoved:
		return new(PromptRemoved)
	case TypeTokenUsage:
		return new(TokenUsage)
	case TypeStatus:
		return new(Status)
	case TypeBudget:
		return new(BudgetMark)
	case TypeHeartbeat, TypeReset, TypeDamage, TypeOverflow, TypeSession, TypeRosterComplete, TypeSessionGone, TypeOver, TypeRefused, TypeItem, TypeEvent:
		// messages of streams, no events
	}
	return nil
}
