package protocol

func (s *SessionState) code(c *coder) {
	c.str("sessionId", &s.SessionID)
	c.str("agentBackend", &s.AgentBackend)
	c.object("metadata", &s.Metadata)
	c.optStr("title", &s.Title)
	c.optStr("model", &s.Model)
	c.optStr("mode", &s.Mode)
	c.optStr("pendingModel", &s.PendingModel)
	c.optStr("pendingMode", &s.PendingMode)
	c.optStr("nativeSessionId", &s.NativeSessionID)
	c.optStr("agentVersion", &s.AgentVersion)
	c.optStrMap("labels", &s.Labels)
	c.optStrs("capabilities", &s.Capabilities)
	optObject(c, "policy", &s.Policy)
	optObject(c, "budget", &s.Budget)
	c.uint("epoch", &s.Epoch)
	c.uint("seq", &s.Seq)
	c.int64("ts", &s.Ts)
	optObject(c, "status", &s.Status)
	optObject(c, "end", &s.End)
	optObjectPtrs(c, "turns", &s.Turns)
	optObjectPtrs(c, "entries", &s.Entries)
	optObjectPtrs(c, "requests", &s.Requests)
	optObjectPtrs(c, "queue", &s.Queue)
	optObjectPtrs(c, "children", &s.Children)
	c.object("usage", &s.Usage)
	optObject(c, "spent", &s.Spent)
	optObjectPtrs(c, "marks", &s.Marks)
}

func (t *TurnState) code(c *coder) {
	c.str("turnId", &t.TurnID)
	c.optStr("status", (*string)(&t.Status))
	c.optStr("cause", (*string)(&t.Cause))
	c.optStr("error", &t.Error)
	c.optStr("hint", &t.Hint)
	optObject(c, "prompt", &t.Prompt)
	c.uint("startSeq", &t.StartSeq)
	c.int64("startTs", &t.StartTs)
	c.optUint("endSeq", &t.EndSeq)
	c.optInt64("endTs", &t.EndTs)
	c.optStrs("entries", &t.Entries)
	optObject(c, "usage", &t.Usage)
}

func (x *EntryState) code(c *coder) {
	c.str("entryId", &x.EntryID)
	c.str("entryType", (*string)(&x.EntryType))
	c.optStr("turnId", &x.TurnID)
	c.optInt("round", &x.Round)
	c.optStr("persistentId", &x.PersistentID)
	c.optBool("open", &x.Open)
	c.optBool("incomplete", &x.Incomplete)
	c.optStr("reason", &x.Reason)
	c.uint("startSeq", &x.StartSeq)
	c.int64("startTs", &x.StartTs)
	c.optUint("endSeq", &x.EndSeq)
	c.optInt64("endTs", &x.EndTs)
	codeData(c, x.EntryType, &x.Data)
}

func (r *RequestState) code(c *coder) {
	r.RequestOpened.code(c)
	c.uint("openedSeq", &r.OpenedSeq)
	c.int64("openedTs", &r.OpenedTs)
	optObject(c, "resolved", &r.Resolved)
	c.optUint("resolvedSeq", &r.ResolvedSeq)
	c.optInt64("resolvedTs", &r.ResolvedTs)
}

func (q *QueuedPrompt) code(c *coder) {
	q.PromptQueued.code(c)
	c.uint("seq", &q.Seq)
	c.int64("ts", &q.Ts)
}

func (s *ChildState) code(c *coder) {
	s.ChildSession.code(c)
	c.uint("seq", &s.Seq)
	c.int64("ts", &s.Ts)
}

func (u *UsageTotals) code(c *coder) {
	c.object("sum", &u.Sum)
	optObject(c, "reported", &u.Reported)
	optObject(c, "cost", &u.Cost)
}
