package protocol

// FoldVersion is the number of the fold (spec §10.1). States that clients have stored name it, and one of another fold is folded anew from its lines: it may
// lack what this one knows. Raise it, here and in protocol/ts, with each change that makes another state of a log that is there.
const FoldVersion = 2
