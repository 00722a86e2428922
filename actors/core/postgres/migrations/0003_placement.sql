-- Nodes that beat, and sessions that other nodes may go on with.

ALTER TABLE node
  ADD state      text        NOT NULL DEFAULT 'up' CHECK (state IN ('up', 'draining', 'left', 'dead')),
  ADD lease      interval    NOT NULL DEFAULT '0', -- of its last beat
  ADD steady     timestamptz,                      -- it has renewed without a hole since; null: its newest life has not beaten
  ADD expires    timestamptz,                      -- null: likewise; who does not beat is never declared dead
  ADD address    text        NOT NULL DEFAULT '',  -- of its listener for peers
  ADD workspaces text[]      NOT NULL DEFAULT '{}',
  ADD agents     text        NOT NULL DEFAULT '',  -- JSON, which nothing here looks into
  ADD build      text        NOT NULL DEFAULT '',
  ADD CHECK ((steady IS NULL) = (expires IS NULL));
ALTER TABLE node SET (fillfactor = 50);            -- every beat changes a row

-- In the narrow table, since claims look at it. What they begin are epochs of the reasons 'node lost' and 'revived'.
ALTER TABLE session_log ADD failover text NOT NULL DEFAULT 'stay' CHECK (failover IN ('stay', 'auto'));
-- What a lost life leaves to others; session_log_node finds what nobody has.
CREATE INDEX session_log_auto ON session_log (node, incarnation) WHERE failover = 'auto';
-- Families, which are claimed as a whole.
CREATE INDEX session_root ON session (root, id);
