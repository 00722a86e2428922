-- Credentials of nodes that reach Core over HTTP. Of a token there is the SHA-256 alone.
CREATE TABLE credential (
  id   text        PRIMARY KEY,
  name text        NOT NULL DEFAULT '',
  node text,                                                        -- whose it is; null: of the first new node that uses it
  sum  bytea       NOT NULL UNIQUE CHECK (octet_length(sum) = 32),
  made timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX credential_node ON credential (node);
