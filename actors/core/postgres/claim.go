package postgres

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	// claimant is the node that claims. Its row is locked, so that it is not declared dead, and does not drain, while it does.
	claimant = `me AS (
  SELECT id, incarnation FROM node WHERE id = $1 AND incarnation = $2 AND state = 'up' AND expires > clock_timestamp() FOR SHARE
)`
	// gone are nodes with the newest of their lives whose sessions are lost. Of a session that was taken in a life behind that this statement knows nothing,
	// and lets it be.
	gone = `gone AS (
  SELECT id, state, CASE WHEN state IN ('left', 'dead') THEN incarnation ELSE incarnation - 1 END AS life FROM node
  WHERE id <> $1 AND (state IN ('left', 'dead') OR expires > clock_timestamp() AND steady < clock_timestamp() - lease)
)`
	// anyFamily finds families of which something can be claimed, and that the node can have.
	anyFamily = `family AS (
  SELECT r.root, max(r.updated) AS updated FROM (
    SELECT id, false AS works FROM session_log WHERE node IS NULL
    UNION ALL SELECT s.id, s.works FROM gone g JOIN session_log s ON s.node = g.id AND s.incarnation <= g.life
      WHERE s.failover = 'auto' AND s.epoch < $3::bigint
  ) s JOIN session r USING (id)
  WHERE (cardinality($6::text[]) = 0 OR r.workspace = ANY($6)) AND (cardinality($7::text[]) = 0 OR r.agent = ANY($7))
    AND (cardinality($8::text[]) = 0 OR r.state = ANY($8) OR s.works)
  GROUP BY r.root
)`
	namedFamily = `family AS (SELECT root, max(updated) AS updated FROM session WHERE id = ANY($6::uuid[]) GROUP BY root)`
	// claimFamilies locks the first session of each family, whoever has it, so that no two nodes claim parts of one; what others are at is left to them. It
	// does so one by one, until it has enough. Then it claims what can be claimed of these families, as it stands behind the locks.
	claimFamilies = `first AS MATERIALIZED (
  SELECT f.root FROM (SELECT root FROM family WHERE EXISTS (SELECT FROM me) ORDER BY updated DESC) f CROSS JOIN LATERAL (
    SELECT FROM session_log s WHERE s.id = (SELECT r.id FROM session r WHERE r.root = f.root ORDER BY r.id LIMIT 1) FOR NO KEY UPDATE SKIP LOCKED
  ) s
  LIMIT nullif($4::bigint, 0)
), c AS (
  SELECT s.id, coalesce(s.node, '') AS node, s.incarnation, s.node IS NOT NULL AS lost
  FROM first f JOIN session r ON r.root = f.root JOIN session_log s ON s.id = r.id
    LEFT JOIN gone g ON s.node = g.id AND s.incarnation <= g.life
  WHERE s.node IS NULL OR g.id IS NOT NULL AND s.epoch < $3::bigint AND (s.failover = 'auto' OR $5 AND g.state = 'left')
  FOR NO KEY UPDATE OF s SKIP LOCKED
), s AS (
  UPDATE session_log s SET node = me.id, incarnation = me.incarnation, lease = gen_random_uuid(),
    epoch = CASE WHEN c.lost THEN greatest(s.epoch + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) ELSE s.epoch END,
    began = CASE WHEN c.lost THEN s.head + 1 ELSE s.began END
  FROM c, me WHERE s.id = c.id
  RETURNING s.id, s.node, s.incarnation, s.lease, s.epoch, s.head, s.oldest, s.failover, s.began, c.node AS had, c.incarnation AS life, c.lost
), epochs AS (
  INSERT INTO session_epoch (session_id, epoch, first_seq, lease, node, reason)
  SELECT id, epoch, began, lease, node, CASE failover WHEN 'auto' THEN 'node lost' ELSE 'revived' END FROM s WHERE lost
), noted AS (
  UPDATE session r SET noted = clock_timestamp() FROM s WHERE r.id = s.id
)
SELECT ` + columns + `, ` + toldColumns + `, s.had, s.life, s.lost FROM s JOIN session r USING (id)`

	claimAny   = `WITH ` + claimant + `, ` + gone + `, ` + anyFamily + `, ` + claimFamilies
	claimNamed = `WITH ` + claimant + `, ` + gone + `, ` + namedFamily + `, ` + claimFamilies

	// readStandings says what core.Standing wants to know.
	readStandings = `SELECT ` + columns + `, s.failover, coalesce(n.state, ''), coalesce(n.incarnation, 0),
  coalesce(n.expires > clock_timestamp() AND n.steady < clock_timestamp() - n.lease, false)
FROM session_log s LEFT JOIN node n ON n.id = s.node WHERE s.id = ANY($1::uuid[])`
	readAble = `SELECT EXISTS (SELECT FROM node WHERE id = $1 AND incarnation = $2 AND state = 'up' AND expires > clock_timestamp())`

	releaseSessions = `WITH h AS (
  SELECT * FROM unnest($3::uuid[], $4::uuid[], $5::bigint[]) AS h (id, lease, head)
), s AS (
  UPDATE session_log s SET node = NULL, incarnation = 0, lease = gen_random_uuid()
  FROM h WHERE s.id = h.id AND s.lease = h.lease AND s.head = h.head AND s.node = $1 AND s.incarnation = $2
  RETURNING s.id, s.node, s.incarnation, s.lease, s.epoch, s.head, s.oldest
), noted AS (
  UPDATE session r SET noted = clock_timestamp() FROM s WHERE r.id = s.id
)
SELECT ` + columns + ` FROM s`
)

func (c *client) Claim(ctx context.Context, as core.Owner, want core.Want) (got core.Claims, err error) {
	if err := as.Check("claim"); err != nil {
		return core.Claims{}, err
	}
	as.Node = core.Text(as.Node)
	err = c.call(ctx, "claim", func(ctx context.Context) error {
		got = core.Claims{}
		statement, args := claimArguments(as, want)
		rows, err := c.pool.Query(ctx, statement, args...)
		taken := map[string]bool{}
		err = each(rows, err, func() error {
			var one core.Claimed
			var err error
			one.Record, err = record(rows, &one.At, &one.Had.Node, &one.Had.Incarnation, &one.Lost)
			got.Taken = append(got.Taken, one)
			taken[one.At.Session] = true
			return err
		})
		if err != nil || len(want.Sessions) == 0 {
			return err
		}
		got.Others, err = c.refusals(ctx, as, want, taken)
		return err
	})
	if err != nil {
		return core.Claims{}, err
	}
	return got, nil
}

func claimArguments(as core.Owner, want core.Want) (statement string, args []any) {
	args = []any{as.Node, as.Incarnation, uint64(protocol.MaxSeq)}
	if len(want.Sessions) > 0 {
		return claimNamed, append(args, 0, want.Revive, keys(want.Sessions))
	}
	return claimAny, append(args, max(want.Families, 0), false, texts(want.Workspaces), texts(want.Agents), texts(want.States))
}

// texts are an array, which is not null.
func texts(list []string) []string { return append([]string{}, list...) }

// refusals says why sessions were not claimed. What could be by now, somebody else was at.
func (c *client) refusals(ctx context.Context, as core.Owner, want core.Want, taken map[string]bool) (list []core.Refusal, err error) {
	standing := core.Standing{As: as, Revive: want.Revive}
	if err := c.pool.QueryRow(ctx, readAble, as.Node, as.Incarnation).Scan(&standing.Able); err != nil {
		return nil, err
	}
	found := map[string]core.Standing{}
	rows, err := c.pool.Query(ctx, readStandings, keys(want.Sessions))
	err = each(rows, err, func() error {
		s := standing
		err := rows.Scan(append(into(&s.At), &s.Failover, &s.State, &s.Life, &s.Steady)...)
		found[s.At.Session] = s
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, id := range want.Sessions {
		if taken[id] {
			continue
		}
		s := found[id]
		why := s.Why()
		if why == "" {
			why = core.WhyBusy
		}
		list = append(list, core.Refusal{Session: id, At: s.At, Why: why})
	}
	return list, nil
}

func (c *client) Release(ctx context.Context, as core.Owner, sessions []core.Handed) ([]core.Answer, error) {
	ids := make([]string, len(sessions))
	var todo []core.Handed
	seen := map[string]bool{}
	for i, h := range sessions {
		if ids[i] = h.Session; !seen[h.Session] && h.Head <= protocol.MaxSeq && as.IsLife() {
			todo = append(todo, h)
		}
		seen[h.Session] = true
	}
	slices.SortFunc(todo, func(a, b core.Handed) int { return cmp.Compare(a.Session, b.Session) })
	var id, lease []pgtype.UUID
	var head []uint64
	for _, h := range todo {
		id, lease, head = append(id, key(h.Session)), append(lease, key(string(h.Lease))), append(head, h.Head)
	}
	answers := make([]core.Answer, len(sessions))
	err := c.call(ctx, "release", func(ctx context.Context) error {
		released := map[string]core.Position{}
		if len(todo) > 0 {
			rows, err := c.pool.Query(ctx, releaseSessions, core.Text(as.Node), as.Incarnation, id, lease, head)
			if released, err = byID(rows, err); err != nil {
				return err
			}
		}
		others, err := positions(ctx, c.pool, slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return released[id].Session != "" }))
		for i, id := range ids {
			at, ok := released[id]
			if !ok {
				at = others[id]
			}
			answers[i] = core.Answer{Taken: ok && slices.Index(ids, id) == i, At: at}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return answers, nil
}
