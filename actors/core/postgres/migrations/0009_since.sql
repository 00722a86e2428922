-- The events behind one, found by the key of the batches. Those that are in objects (session_segment) cannot be told here: no rows would say that there are none.
CREATE OR REPLACE FUNCTION session_events_since(session uuid, since bigint)
  RETURNS TABLE (seq bigint, epoch bigint, ts bigint, type text, payload text) LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
#variable_conflict use_column
DECLARE
  moved bigint := (SELECT s.cold FROM session_log s WHERE s.id = session);
BEGIN
  IF since < moved THEN
    RAISE EXCEPTION 'events up to % of session % are in the object store', moved, session
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = format('ask behind event %s, or read the log of a node: GET /sessions/%s/log', moved, session);
  END IF;
  RETURN QUERY SELECT b.first_seq + l.n - 1, b.epoch, substring(l.line FROM '"ts":(\d+)')::bigint, substring(l.line FROM '"type":"([^"]+)"'), l.line
    FROM session_batch b, LATERAL regexp_split_to_table(session_text(b.lines), E'\n') WITH ORDINALITY l (line, n)
    WHERE b.session_id = session AND b.first_seq + l.n - 1 BETWEEN since + 1 AND b.last_seq
      AND b.first_seq >= coalesce((SELECT max(f.first_seq) FROM session_batch f WHERE f.session_id = session AND f.first_seq <= since + 1), 0)
    ORDER BY 1;
END $$;
