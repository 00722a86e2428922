-- Whether the session was at work behind its newest batch: its record tells that a moment later, and a node may be lost in between.
ALTER TABLE session_log ADD works boolean NOT NULL DEFAULT false;

-- The lines of all batches come as one text, of which each has the part from its place on: each array, table and set on the way would have copied them.
DROP FUNCTION session_append(uuid[], uuid[], bigint[], bigint[], bigint[], bigint[], bytea[], integer[], bytea[]);
CREATE FUNCTION session_append(
  ids uuid[], leases uuid[], firsts bigint[], lasts bigint[], epochs bigint[], times bigint[], made bytea[], sizes integer[],
  at_work boolean[], places integer[], texts bytea
) RETURNS TABLE (id uuid, node text, incarnation bigint, lease uuid, epoch bigint, head bigint, oldest bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY WITH b AS (
    SELECT * FROM unnest(ids, leases, firsts, lasts, epochs, times, made, sizes, at_work, places)
      AS b (id, lease, first_seq, last_seq, epoch, ts, sources, raw, works, place)
  ), s AS (
    UPDATE session_log l SET head = b.last_seq, epoch = b.epoch, began = CASE WHEN l.epoch < b.epoch THEN b.first_seq ELSE l.began END,
      hot = l.hot + b.raw, flushed = clock_timestamp(), works = b.works
    FROM b WHERE l.id = b.id AND l.lease = b.lease AND l.head = b.first_seq - 1 AND l.epoch <= b.epoch
    RETURNING l.id, l.node, l.incarnation, l.lease, l.epoch, l.head, l.oldest, l.began, b.first_seq, b.ts, b.sources, b.raw, b.place
  ), batches AS (
    INSERT INTO session_batch (session_id, first_seq, last_seq, epoch, lease, ts, sources, raw, lines)
    SELECT s.id, s.first_seq, s.head, s.epoch, s.lease, s.ts, s.sources, s.raw, substring(texts FROM s.place FOR s.raw) FROM s
  ), starts AS (
    INSERT INTO session_epoch (session_id, epoch, first_seq, lease, node, reason)
    SELECT s.id, s.epoch, s.first_seq, s.lease, s.node, 'appended' FROM s WHERE s.began = s.first_seq
    ON CONFLICT DO NOTHING -- the epoch's first batch, where it was registered, has begun with a cut, or with a claim
  )
  SELECT s.id, s.node, s.incarnation, s.lease, s.epoch, s.head, s.oldest FROM s;
END $$;
