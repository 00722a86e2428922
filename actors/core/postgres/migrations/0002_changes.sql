-- Whoever follows the list of sessions reads what was changed since a moment of the database's clock.
ALTER TABLE session ADD noted timestamptz NOT NULL DEFAULT now(); -- of one moment for all that are there: so no row is written anew
ALTER TABLE session ALTER noted SET DEFAULT clock_timestamp();
CREATE INDEX session_noted ON session (noted, id);

-- Sessions that were removed, for a day.
CREATE TABLE session_gone (
  id uuid        PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX session_gone_at ON session_gone (at, id);
