package protocol

// TokenPrefix begins every token that a daemon makes, but for the first, so that one is known that has got where it should not be. What follows is its
// id of 12 characters, an underscore, and 43 characters that are secret.
const TokenPrefix = "ringmaster_"
