-- Nodes, whose sessions are, and the logs of sessions as rows of batches.

CREATE TABLE node (
  id          text        PRIMARY KEY,   -- the data folder's instance
  incarnation bigint      NOT NULL,      -- higher at every start; of the clock, so that no fail-over brings one back
  joined      timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Narrow, because every flush changes it: the wide row beside it is written on changes of state only.
CREATE TABLE session_log (
  id          uuid   PRIMARY KEY,
  node        text,                      -- who has it; null: nobody
  incarnation bigint NOT NULL DEFAULT 0,
  lease       uuid   NOT NULL,           -- the fence: random, new whenever somebody takes the session, never used twice
  epoch       bigint NOT NULL,
  began       bigint NOT NULL,           -- the event that the epoch began with
  head        bigint NOT NULL,           -- newest event here
  oldest      bigint NOT NULL            -- oldest event that is kept; head + 1: none
) WITH (fillfactor = 50);
CREATE INDEX session_log_node ON session_log (node, id);

CREATE TABLE session (
  id        uuid        PRIMARY KEY,
  root      uuid        NOT NULL,        -- the family is placed together
  parent    uuid,
  agent     text        NOT NULL,
  owner     text        NOT NULL,
  state     text        NOT NULL,
  workspace text        NOT NULL,        -- 'node:ID' where only that machine has it
  created   timestamptz NOT NULL,
  updated   timestamptz NOT NULL,
  labels    jsonb       NOT NULL,
  told      bytea       NOT NULL         -- session.json; bytea, because json refuses what is no UTF-8
);
CREATE INDEX session_list ON session (created DESC, id);
CREATE INDEX session_owner ON session (owner, created DESC);
CREATE INDEX session_labels ON session USING gin (labels);

CREATE TABLE session_epoch (
  session_id uuid        NOT NULL,
  epoch      bigint      NOT NULL,
  first_seq  bigint      NOT NULL,
  lease      uuid        NOT NULL,
  node       text,
  reason     text        NOT NULL,       -- registered, appended, rewound
  at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (session_id, epoch)
);

CREATE TABLE session_batch (
  session_id uuid    NOT NULL,
  first_seq  bigint  NOT NULL,
  last_seq   bigint  NOT NULL,
  epoch      bigint  NOT NULL,
  lease      uuid    NOT NULL,
  ts         bigint  NOT NULL,           -- Unix ms
  sources    bytea   NOT NULL,           -- which adapter's batch each run of lines was made of: three numbers a run (core.EncodeSources)
  raw        integer NOT NULL,           -- bytes of lines
  lines      bytea   NOT NULL,           -- exactly the journal's
  PRIMARY KEY (session_id, first_seq)
) WITH (toast_tuple_target = 128);       -- else rows below 2 KB are not compressed at all

-- What a later epoch has put in the place of: never part of the log again, kept for people.
CREATE TABLE session_lost (
  session_id uuid        NOT NULL,
  id         bigint      GENERATED ALWAYS AS IDENTITY,
  first_seq  bigint      NOT NULL,
  last_seq   bigint      NOT NULL,
  epoch      bigint      NOT NULL,
  lease      uuid        NOT NULL,
  ts         bigint      NOT NULL,
  sources    bytea       NOT NULL,
  raw        integer     NOT NULL,
  lines      bytea       NOT NULL,
  cut        bigint      NOT NULL,       -- the epoch that has put it aside
  at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (session_id, id)
) WITH (toast_tuple_target = 128);

ALTER TABLE session_batch ALTER lines SET STORAGE MAIN;
ALTER TABLE session_lost ALTER lines SET STORAGE MAIN;
DO $$ BEGIN
  ALTER TABLE session_batch ALTER lines SET COMPRESSION lz4;
  ALTER TABLE session_lost ALTER lines SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported OR invalid_parameter_value THEN
  NULL; -- a server that was built without lz4 compresses in its own way
END $$;

-- One line as people read it. Members are found by pattern: json's operators fail on a line with \u0000 in it. What is no UTF-8 cannot be text in a
-- database: such lines are shown as bytes, escaped, and without their members.
CREATE FUNCTION session_text(lines bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN convert_from(lines, 'UTF8');
EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
  RETURN encode(lines, 'escape');
END $$;

-- For people and reports. It cannot seek: session_events_since can.
CREATE VIEW session_events AS
  SELECT b.session_id, b.first_seq + l.n - 1 AS seq, b.epoch, substring(l.line FROM '"ts":(\d+)')::bigint AS ts,
    substring(l.line FROM '"type":"([^"]+)"') AS type, l.line AS payload
  FROM session_batch b, LATERAL regexp_split_to_table(session_text(b.lines), E'\n') WITH ORDINALITY l (line, n)
  WHERE b.first_seq + l.n - 1 <= b.last_seq;

-- The events behind one, found by the key of the batches.
CREATE FUNCTION session_events_since(session uuid, since bigint)
  RETURNS TABLE (seq bigint, epoch bigint, ts bigint, type text, payload text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT b.first_seq + l.n - 1, b.epoch, substring(l.line FROM '"ts":(\d+)')::bigint, substring(l.line FROM '"type":"([^"]+)"'), l.line
  FROM session_batch b, LATERAL regexp_split_to_table(session_text(b.lines), E'\n') WITH ORDINALITY l (line, n)
  WHERE b.session_id = session AND b.first_seq + l.n - 1 BETWEEN since + 1 AND b.last_seq
    AND b.first_seq >= coalesce((SELECT max(f.first_seq) FROM session_batch f WHERE f.session_id = session AND f.first_seq <= since + 1), 0)
  ORDER BY 1
$$;
