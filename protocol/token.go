package protocol

// TokenPrefix begins every token that a daemon makes, except the first, so that scanners recognize a leaked one. The token's id of 12 characters, an
// underscore, and 43 secret characters follow.
const TokenPrefix = "ringmaster_"
