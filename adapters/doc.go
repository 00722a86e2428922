// Package adapters is the contract between foreign agents and the session core: what an agent is, what a translator
// makes of its native lines (drafts), what the session asks of it (commands), and how a connection to it is held.
//
// One folder below this one per agent (pure translators with their goldens), one per transport, and conformance/, the
// suite that every agent passes. Nothing here knows actors, journals or HTTP.
package adapters
