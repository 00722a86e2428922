-- Finished segments of logs, which are objects in a store, and what is kept to find them.

ALTER TABLE session_log
  ADD cold    bigint      NOT NULL DEFAULT 0,     -- up to here the log is segments
  ADD hot     bigint      NOT NULL DEFAULT 0,     -- bytes of lines in rows, about
  ADD flushed timestamptz NOT NULL DEFAULT now(); -- when something was appended last; of one moment for all that are there
ALTER TABLE session_log ALTER flushed SET DEFAULT clock_timestamp();
UPDATE session_log s SET hot = b.raw FROM (SELECT session_id, sum(raw) AS raw FROM session_batch GROUP BY session_id) b WHERE s.id = b.session_id;

CREATE TABLE session_segment (
  session_id   uuid     NOT NULL,
  first_seq    bigint   NOT NULL,
  last_seq     bigint   NOT NULL,      -- of the log: a cut may have put aside what follows in the object
  raw          bigint,                 -- bytes of lines; null: a cut goes through it, and they were not counted
  object_first bigint   NOT NULL,
  object_last  bigint   NOT NULL,
  key          text     NOT NULL,
  bytes        bigint   NOT NULL,      -- of the object
  sha256       bytea    NOT NULL,
  frame_seq    bigint[] NOT NULL,      -- first event of each compressed frame, and where it begins
  frame_off    bigint[] NOT NULL,
  made         bytea    NOT NULL,      -- of which rows it was made, without their lines (core.EncodeRows)
  line         bytea    NOT NULL,      -- the object's last one
  PRIMARY KEY (session_id, first_seq)
);
CREATE UNIQUE INDEX session_segment_key ON session_segment (key);

-- A segment that was put aside, or a part of one: its lines are those of first_seq to last_seq of the object, and sources and lines are empty.
ALTER TABLE session_lost
  ALTER lease DROP NOT NULL,
  ADD object_first bigint,
  ADD object_last  bigint,
  ADD key          text,               -- null: it is a row
  ADD bytes        bigint,
  ADD sha256       bytea,
  ADD frame_seq    bigint[],
  ADD frame_off    bigint[],
  ADD made         bytea,
  ADD line         bytea;
CREATE INDEX session_lost_key ON session_lost (key) WHERE key IS NOT NULL;

-- Pictures of prompts, which logs name by their digests.
CREATE TABLE session_image (
  session_id uuid   NOT NULL,
  digest     bytea  NOT NULL,          -- SHA-256
  key        text   NOT NULL,
  bytes      bigint NOT NULL,
  PRIMARY KEY (session_id, digest)
);
CREATE UNIQUE INDEX session_image_key ON session_image (key);

-- Objects that no row names: not yet, or not any more. Each key comes here once, before its object is put.
CREATE TABLE session_object (
  key        text        PRIMARY KEY,
  session_id uuid        NOT NULL,
  at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  given_up   boolean     NOT NULL DEFAULT false -- nobody can name it any more
);
CREATE INDEX session_object_session ON session_object (session_id);
CREATE INDEX session_object_at ON session_object (at);

DO $$ BEGIN
  ALTER TABLE session_segment ALTER made SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported OR invalid_parameter_value THEN
  NULL;
END $$;

COMMENT ON VIEW session_events IS 'The events that are in rows. Those up to session_log.cold are in objects (session_segment).';

CREATE OR REPLACE FUNCTION session_append(
  ids uuid[], leases uuid[], firsts bigint[], lasts bigint[], epochs bigint[], times bigint[], made bytea[], sizes integer[], texts bytea[]
) RETURNS TABLE (id uuid, node text, incarnation bigint, lease uuid, epoch bigint, head bigint, oldest bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY WITH b AS (
    SELECT * FROM unnest(ids, leases, firsts, lasts, epochs, times, made, sizes, texts)
      AS b (id, lease, first_seq, last_seq, epoch, ts, sources, raw, lines)
  ), s AS (
    UPDATE session_log l SET head = b.last_seq, epoch = b.epoch, began = CASE WHEN l.epoch < b.epoch THEN b.first_seq ELSE l.began END,
      hot = l.hot + b.raw, flushed = clock_timestamp()
    FROM b WHERE l.id = b.id AND l.lease = b.lease AND l.head = b.first_seq - 1 AND l.epoch <= b.epoch
    RETURNING l.id, l.node, l.incarnation, l.lease, l.epoch, l.head, l.oldest, l.began, b.first_seq, b.ts, b.sources, b.raw, b.lines
  ), batches AS (
    INSERT INTO session_batch (session_id, first_seq, last_seq, epoch, lease, ts, sources, raw, lines)
    SELECT s.id, s.first_seq, s.head, s.epoch, s.lease, s.ts, s.sources, s.raw, s.lines FROM s
  ), starts AS (
    INSERT INTO session_epoch (session_id, epoch, first_seq, lease, node, reason)
    SELECT s.id, s.epoch, s.first_seq, s.lease, s.node, 'appended' FROM s WHERE s.began = s.first_seq
    ON CONFLICT DO NOTHING -- the epoch's first batch, where it was registered, has begun with a cut, or with a claim
  )
  SELECT s.id, s.node, s.incarnation, s.lease, s.epoch, s.head, s.oldest FROM s;
END $$;
