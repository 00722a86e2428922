-- Native lines of sessions, as their nodes have archived them: segments, which are objects in a store.
CREATE TABLE session_raw (
  session_id uuid     NOT NULL,
  node       text     NOT NULL,      -- that has archived them
  first_line bigint   NOT NULL,      -- numbers of lines, which grow over all nodes of a session
  last_line  bigint   NOT NULL,
  epoch      bigint   NOT NULL,      -- the newest of the session's log on that node
  raw        bigint   NOT NULL,      -- bytes of lines
  longest    bigint   NOT NULL,      -- bytes of the longest one
  key        text     NOT NULL,
  bytes      bigint   NOT NULL,      -- of the object
  sha256     bytea    NOT NULL,
  frame_line bigint[] NOT NULL,      -- first line of each compressed frame, and where it begins
  frame_off  bigint[] NOT NULL,
  PRIMARY KEY (session_id, node, first_line)
);
CREATE UNIQUE INDEX session_raw_key ON session_raw (key);

ALTER TABLE session_log ADD lines bigint NOT NULL DEFAULT 0; -- number with which a node has begun that has taken the session in
