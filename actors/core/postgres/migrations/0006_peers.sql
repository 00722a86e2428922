-- Nodes that pass on requests to one another: each believes that peer alone whose key is in its row.
ALTER TABLE node ADD key text NOT NULL DEFAULT ''; -- the SHA-256 of the public key that it presents at its address
