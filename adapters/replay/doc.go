// Package replay lives through a recording again: it feeds the records to the agent's own splitter and translators as a live
// connection would, and gives what they say, session by session.
//
// A recording has other sessions than a daemon would have had, so they are found in it:
//
//   - A plain agent, and a Splitting one whose connection belongs to one session (Connection is empty), has a session from the
//     connection's start on. A later connection of the same label goes on with it.
//   - On a connection that many share the sessions come as births without a parent. One whose native id was seen before goes
//     on, on whichever connection; where an earlier one still carries it, its incarnation moves: both have the same lines.
//   - The raw archive of a session holds that session alone, whatever the agent's connections carry.
//   - Births with a parent are sub-agents: sessions of their own below the session of their parent.
//
// What translators write for the agent goes nowhere: the recording has the lines that were sent, and their ids.
package replay
