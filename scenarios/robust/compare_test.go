package robust

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// compare reads a session in four ways up to one version: the log, the stream from the start, the poll, the files. They agree,
// and they go on from what the ledger knows. alive is false where the daemon died meanwhile.
func compare(ctx context.Context, d *daemon, cs *sdk.ClientSession, session string, ledger *audit.Ledger) (alive bool, err error) {
	status, header, log, err := d.call(ctx, http.MethodGet, "/sessions/"+session+"/log", "", nil)
	if err != nil {
		return false, nil
	}
	if status != http.StatusOK {
		return true, fmt.Errorf("log of session %s: %d: %s", session, status, log)
	}
	lines := split(log)
	if v := header.Get("X-Session-Version"); v != strconv.Itoa(len(lines)) {
		return true, fmt.Errorf("%w: the log of session %s has %d events and says %s", audit.ErrReliable, session, len(lines), v)
	}
	if err := ledger.Follow(lines); err != nil {
		return true, err
	}
	if err := compareFiles(d, session, lines); err != nil {
		return true, err
	}
	if alive, err := compareStream(ctx, d, session, lines); !alive || err != nil {
		return alive, err
	}
	return comparePoll(ctx, cs, session, lines)
}

func split(b []byte) [][]byte {
	lines := bytes.Split(b, []byte("\n"))
	return lines[:len(lines)-1] // what follows the last newline is no line
}

// compareFiles reads the segments as they are on the disk, which may hold more by now.
func compareFiles(d *daemon, session string, lines [][]byte) error {
	all, err := readLines(d.data, session)
	if err != nil {
		return err
	}
	files := split(all)
	if len(files) < len(lines) {
		return fmt.Errorf("%w: the files of session %s have %d events, the log %d", audit.ErrAgreeing, session, len(files), len(lines))
	}
	for i, line := range lines {
		if !bytes.Equal(files[i], line) {
			return fmt.Errorf("%w: event %d of session %s is in the files\n%s\nand in the log\n%s", audit.ErrAgreeing, i+1, session, files[i], line)
		}
	}
	return nil
}

// compareStream reads the stream from the start.
func compareStream(ctx context.Context, d *daemon, session string, lines [][]byte) (alive bool, err error) {
	res, err := d.open(ctx, http.MethodGet, "/sessions/"+session+"/stream", nil, http.Header{"Accept": {"text/event-stream"}})
	if err != nil {
		return false, nil
	}
	defer res.Body.Close()
	frames := protocol.NewSSEReader(res.Body, 0)
	for i, line := range lines {
		f, err := frames.Next()
		if err != nil {
			return false, nil
		}
		if !bytes.Equal(f.Data, line) {
			return true, fmt.Errorf("%w: event %d of session %s comes over the stream as\n%s\nand in the log as\n%s", audit.ErrAgreeing, i+1, session, f.Data, line)
		}
	}
	return true, nil
}

// comparePoll reads all items, page by page, and holds them against those that the log has.
func comparePoll(ctx context.Context, cs *sdk.ClientSession, session string, lines [][]byte) (alive bool, err error) {
	want, grows := map[uint64]audit.Hash{}, map[string]uint64{} // the newest message of each entry
	replaced := map[uint64]bool{}                               // by it, where one page has both
	var fold protocol.Items
	for _, line := range lines {
		e, err := protocol.Decode(line)
		if err != nil {
			return true, err
		}
		if it, ok := fold.Item(&e); ok && it.Type != protocol.ItemDelta {
			want[e.Seq] = audit.HashOfItem(it)
			if it.Type == protocol.ItemMessage {
				replaced[grows[it.EntryID]], grows[it.EntryID] = true, e.Seq
			}
		}
	}
	at := protocol.Cursor{Epoch: 1}
	for more := true; more; {
		p, alive, err := events(ctx, cs, session, at)
		if !alive || err != nil {
			return alive, err
		}
		for _, it := range p.Events {
			if it.Seq > uint64(len(lines)) {
				break // since
			}
			if want[it.Seq] != audit.HashOfItem(it) {
				return true, fmt.Errorf("%w: event %d of session %s is polled as %+v", audit.ErrAgreeing, it.Seq, session, it)
			}
			delete(want, it.Seq)
		}
		at.Seq, more = uint64(p.LastIndex+1), p.HasMore
	}
	maps.DeleteFunc(want, func(seq uint64, _ audit.Hash) bool { return replaced[seq] })
	if len(want) > 0 {
		return true, fmt.Errorf("%w: %d items of session %s are never polled", audit.ErrReliable, len(want), session)
	}
	return true, nil
}

// leftovers are files of the data folder that were meant to be there for a moment only.
func leftovers(data string) error {
	return filepath.WalkDir(data, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if n := e.Name(); !e.IsDir() && (strings.HasPrefix(n, ".new-") || strings.HasSuffix(n, ".new") || strings.HasSuffix(n, ".tmp")) {
			return fmt.Errorf("a temporary file is left: %s", path)
		}
		return nil
	})
}
