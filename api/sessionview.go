package api

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/queue"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func summaryOf(s *session.Summary) resource.SessionSummary {
	return resource.SessionSummary{
		ID: s.ID, Agent: s.Agent, Cwd: s.Cwd, Title: s.Title, FirstPrompt: s.FirstPrompt, Model: s.Model, Mode: s.Mode, Labels: s.Labels,
		NativeSessionID: s.NativeSessionID, AgentVersion: s.AgentVersion, ParentSessionID: s.ParentSessionID,
		Node: s.Node, Unreachable: s.Unreachable, SubAgent: s.SubAgent, Owner: s.Owner, Via: s.Via, Spawned: s.Spawned, MCP: s.MCP, Policy: s.Policy,
		Forwarded: s.Forwarded, PendingModel: s.PendingModel, PendingMode: s.PendingMode,
		CreatedAt: s.Created.UTC(), UpdatedAt: s.Updated.UTC(), Epoch: s.Epoch, Seq: s.Seq,
		Cursor: s.Cursor().String(), Status: s.Status, Turns: s.Turns, Spent: s.Spent, Budget: boundedBy(s.Budget), Marks: s.Marks,
		LastTurn: s.LastTurn, EndError: s.EndError, EndHint: s.EndHint, Pinned: s.Pinned, ReadOnly: s.ReadOnly, Damage: s.Damage,
	}
}

func detailOf(d *session.Description) resource.SessionDetail {
	out := resource.SessionDetail{
		SessionSummary: summaryOf(&d.Summary), Queue: queue.Waiting(d.Queue),
		Requests: append([]protocol.RequestOpened{}, d.Requests...), Readers: make([]resource.SessionReader, len(d.Readers)),
		Usage: d.Usage(), Cost: d.Cost,
	}
	for i, r := range d.Readers {
		out.Readers[i] = resource.SessionReader{Name: r.Name, Seq: r.Seq, Behind: r.Behind, Since: r.Since.UTC()}
	}
	return out
}

// optional is a query parameter that may be absent; huma takes no pointers there.
type optional[T any] struct {
	Value T
	IsSet bool
}

// Schema is that of the value.
func (o optional[T]) Schema(r huma.Registry) *huma.Schema {
	return huma.SchemaFromType(r, reflect.TypeFor[T]())
}

// Receiver is where huma puts the value.
func (o *optional[T]) Receiver() reflect.Value { return reflect.ValueOf(o).Elem().Field(0) }

// OnParamSet notes that there was one.
func (o *optional[T]) OnParamSet(isSet bool, _ any) { o.IsSet = isSet }
