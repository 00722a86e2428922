package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// layer is one row of the import rules: what the packages under a folder may import, and why no more. The longest folder
// that fits a package counts. Entries of may are packages of this module without its path; "x/..." means x and all below.
type layer struct {
	folder  string
	may     []string
	modules []string // third-party
	tests   []string // packages and modules that its tests may import as well, besides testModules
	why     string
}

// What every agent may import, and its tests.
var (
	agentMay   = []string{"adapters", "adapters/bash", "adapters/diff", "adapters/httpline", "adapters/native", "adapters/program", "protocol"}
	agentTests = []string{"adapters/conformance", "adapters/process", "adapters/recording", "adapters/replay"}
)

var layers = []layer{
	{
		folder: "protocol", tests: []string{"protocol/notice"},
		why: "a client written in Go imports it without the daemon: standard library only",
	},
	{
		folder: "protocol/resource", may: []string{"protocol"},
		why: "a client written in Go imports it without the daemon, as it does protocol",
	},
	{
		folder: "protocol/notice", may: []string{"protocol"},
		why: "what is told of sessions, to webhooks and to commands that watch: a client imports it without the daemon",
	},
	{
		folder: "protocol/audit", may: []string{"protocol"},
		why: "holds logs and histories against the protocol: it must not know what made them",
	},
	{
		folder: "adapters", may: []string{"protocol"},
		why: "the contract with foreign agents speaks in the protocol's types and in nothing that runs",
	},
	{
		folder: "adapters/process", may: []string{"adapters"}, modules: []string{"golang.org/x/sys"},
		why: "a transport moves bytes: it knows no protocol of any agent, nor ours",
	},
	{
		folder: "adapters/recording", may: []string{"adapters", "adapters/httpline", "adapters/process"},
		why: "reads recordings of native lines, framed as a transport frames them; what they mean is the translators' affair",
	},
	{
		folder: "adapters/conformance", may: []string{"adapters", "adapters/diff", "adapters/recording", "adapters/replay", "protocol"},
		why: "one suite for all agents: it must not know any of them",
	},
	{
		folder: "adapters/diff", may: []string{"adapters/native", "protocol"}, modules: []string{"github.com/rogpeppe/go-internal"}, tests: []string{"adapters/conformance"},
		why: "the one form of diffs: it must not know any agent",
	},
	{
		folder: "adapters/native", may: []string{"adapters", "protocol"},
		why: "what the translators of all agents share: it must not know any of them",
	},
	{
		folder: "adapters/bash", modules: []string{"mvdan.cc/sh/v3"},
		why: "what a command line would run: text in, words out, whoever asks",
	},
	{
		folder: "adapters/program", may: []string{"adapters", "adapters/process"},
		why: "finds programs and asks for their versions: it must not know any agent",
	},
	{
		folder: "adapters/remote", may: []string{"adapters", "adapters/httpline"}, modules: []string{"github.com/coder/websocket"},
		why: "a transport to agents that run already: it moves messages and knows no protocol of any agent",
	},
	{
		folder: "adapters/httpline", may: []string{"adapters"},
		why: "the envelope of HTTP calls as lines: it must not know whose calls they are",
	},
	{
		folder: "actors/connection", may: []string{"adapters", "adapters/process", "actors/pace"}, modules: []string{"go.uber.org/zap"}, tests: []string{"adapters/..."},
		why: "drives splitters over connections: of the transports it takes the framer, and the agents come as values",
	},
	{
		folder: "actors/raw", may: []string{"actors/disk", "actors/failpoint", "actors/raw/block", "actors/raw/delta"},
		tests: []string{"actors/disk/disktest", "github.com/klauspost/compress"},
		why:   "files of native lines, on the file system of the journal: no engine, no agent",
	},
	{
		folder: "actors/raw/block", modules: []string{"github.com/klauspost/compress"},
		why: "the form of blocks in a file: it knows neither records nor the disk",
	},
	{
		folder: "actors/raw/delta",
		why:    "a line as a change of the one before: bytes in, bytes out",
	},
	{
		folder: "adapters/replay", may: []string{"adapters", "adapters/recording", "protocol"},
		why: "feeds a recording to splitter and translators, whichever agent's they are",
	},
	{
		folder: "adapters/pi", may: agentMay, tests: agentTests,
		why: "an agent's translator is pure: no actors, no transport, no other agent",
	},
	{
		folder: "adapters/claude", may: agentMay, tests: agentTests,
		why: "an agent's translator is pure: no actors, no transport, no other agent",
	},
	{
		folder: "adapters/droid", may: agentMay, tests: agentTests,
		why: "an agent's translator is pure: no actors, no transport, no other agent",
	},
	{
		folder: "adapters/codex", may: append([]string{"adapters/remote"}, agentMay...), tests: agentTests,
		why: "as the other agents; it can be attached to over the transport to agents that run already",
	},
	{
		folder: "adapters/opencode", may: append([]string{"adapters/opencode/server"}, agentMay...), tests: agentTests,
		why: "as the other agents; it speaks over HTTP, so its connection is its own",
	},
	{
		folder: "adapters/opencode/server", may: []string{"adapters", "adapters/httpline", "adapters/native"},
		why: "moves calls and events: what they say is the translator's affair, which it must not know",
	},
	{
		folder: "adapters/scripted", may: []string{"adapters", "adapters/pi", "adapters/process", "protocol"},
		tests: []string{"adapters/conformance", "adapters/recording"},
		why:   "speaks the protocol of Pi, so it is framed and translated as Pi is",
	},
	{
		folder: "actors/ask", modules: []string{"github.com/asynkron/protoactor-go"}, tests: []string{"actors/mailbox"},
		why: "a thin layer over the engine, for all actors",
	},
	{
		folder: "actors/pace",
		why:    "counts what agents say: it needs nothing, and its clock is handed in",
	},
	{
		folder: "actors/mailbox", modules: []string{"github.com/asynkron/protoactor-go"}, tests: []string{"actors/ask"},
		why: "a thin layer over the engine, for all actors",
	},
	{
		folder: "actors/ring", may: []string{"protocol"},
		why: "memory that readers share: no engine, no disk",
	},
	{
		folder: "actors/invariant",
		why:    "is told of what must never be the case: anybody may tell, and the tests ask",
	},
	{
		folder: "actors/failpoint",
		why:    "instants at which a build for the kill harness ends itself: anybody may name one, and the shipped program has none",
	},
	{
		folder: "actors/store", may: []string{"protocol"},
		why: "what a log must do, wherever it is kept: no files, no engine",
	},
	{
		folder: "actors/store/memory", may: []string{"protocol", "actors/store"}, tests: []string{"actors/store/storetest"},
		why: "a store without files, for the tests of what stands above",
	},
	{
		folder: "actors/store/storetest", may: []string{"protocol", "actors/store"},
		why: "what every store must pass: it knows none of them",
	},
	{
		folder: "actors/core", may: []string{"protocol", "actors/store"},
		why: "what Core is to a node: neither a database nor HTTP, and no engine",
	},
	{
		folder: "actors/core/coretest", may: []string{"protocol", "actors/core", "actors/store"},
		why: "what every Core must pass: it knows none of them",
	},
	{
		folder: "actors/core/coretest/doorstest", may: []string{"actors/core"},
		why: "what the credentials of every Core must pass: it knows none of them",
	},
	{
		folder: "actors/core/wire", may: []string{"protocol", "actors/core", "actors/objects", "actors/store"},
		modules: []string{"github.com/klauspost/compress"},
		why:     "the words of Core's HTTP: it neither asks nor answers",
	},
	{
		folder: "actors/core/remote", may: []string{"protocol", "actors/core", "actors/core/wire", "actors/objects", "actors/store"},
		why: "a Core over HTTP: it knows of no database, and nothing of who answers",
	},
	{
		folder: "actors/fate/network", why: "stands between a test and a server: it knows nothing of what it carries",
	},
	{
		folder: "api/coreapi",
		may: []string{
			"actors/core", "actors/core/wire", "actors/objects", "actors/store", "api/access", "api/connection", "api/guard",
		},
		modules: []string{"github.com/prometheus/client_golang", "go.uber.org/zap"},
		tests: []string{
			"actors/core/cold", "actors/core/cold/coldtest", "actors/core/coretest", "actors/core/memory", "actors/core/postgres", "actors/core/postgres/pgtest",
			"actors/core/remote", "actors/fate/network", "actors/objects/memory", "actors/objects/objectstest",
		},
		why: "Core's HTTP face, in front of any Core: it knows of no session and no agent",
	},
	{
		folder: "actors/fate", why: "what befalls places that are made for tests: it knows none of them",
	},
	{
		folder: "actors/core/memory", may: []string{"protocol", "actors/core", "actors/fate", "actors/store"},
		tests: []string{"actors/core/coretest", "actors/core/coretest/doorstest"},
		why:   "a Core without a database, for the tests of what stands above",
	},
	{
		folder: "actors/core/postgres", may: []string{"protocol", "actors/core", "actors/store"}, modules: []string{"github.com/jackc/pgx/v5"},
		tests: []string{
			"actors/core/coretest", "actors/core/coretest/doorstest", "actors/fate/network", "actors/core/postgres/pgtest", "actors/core/cold", "actors/core/cold/coldtest", "actors/objects", "actors/objects/disk",
			"actors/objects/memory",
		},
		why: "the one package that speaks to a database: it knows of objects, and of no store",
	},
	{
		folder: "actors/core/postgres/server", may: []string{"actors/core", "actors/core/postgres"},
		why: "makes a server of the programs that are installed, and asks it as any client does",
	},
	{
		folder: "actors/core/postgres/pgtest", may: []string{"actors/core/postgres/server"}, modules: []string{"github.com/jackc/pgx/v5"},
		why: "has servers for tests: it knows nothing of Core",
	},
	{
		folder: "actors/core/cold",
		may: []string{
			"actors/core", "actors/failpoint", "actors/objects", "actors/objects/segment", "actors/store",
		},
		modules: []string{"go.uber.org/zap"},
		tests: []string{
			"actors/core/cold/coldtest", "actors/core/coretest", "actors/core/memory", "actors/fate", "actors/objects/memory", "actors/objects/s3",
			"actors/objects/s3/s3test",
		},
		why: "joins Core with an object store, whichever both are",
	},
	{
		folder: "actors/core/cold/coldtest", may: []string{"actors/core", "actors/core/cold", "actors/objects", "actors/objects/segment", "actors/store"},
		why: "what every Core must pass together with every store: it knows none of them",
	},
	{
		folder: "actors/objects", may: []string{"protocol"}, tests: []string{"actors/objects/memory"},
		why: "what an object store is to Core: neither files nor HTTP, and no engine",
	},
	{
		folder: "actors/objects/objectstest", may: []string{"actors/objects"},
		why: "what every object store must pass: it knows none of them",
	},
	{
		folder: "actors/objects/memory", may: []string{"actors/fate", "actors/objects"}, tests: []string{"actors/objects/objectstest"},
		why: "an object store without files, for the tests of what stands above",
	},
	{
		folder: "actors/objects/disk", may: []string{"actors/disk", "actors/objects"}, tests: []string{"actors/disk/disktest", "actors/objects/objectstest"},
		why: "objects in a folder, on the file system of the journal: so it can be tested by crashing it",
	},
	{
		folder: "actors/objects/s3", may: []string{"actors/objects"}, modules: []string{"github.com/minio/minio-go/v7"},
		tests: []string{"actors/objects/objectstest", "actors/objects/s3/s3test"},
		why:   "the one package that speaks to an S3 server",
	},
	{
		folder: "actors/objects/s3/s3test", why: "runs a server for tests: it must not know the client",
	},
	{
		folder: "actors/objects/segment", may: []string{"protocol", "actors/objects"}, modules: []string{"github.com/klauspost/compress"},
		tests: []string{"actors/objects/memory"},
		why:   "the form of finished segments: bytes in, bytes out, and ranges of them from whatever store",
	},
	{
		folder: "actors/shipper", may: []string{"protocol", "actors/core", "actors/failpoint", "actors/store"}, modules: []string{"go.uber.org/zap"},
		tests: []string{"actors/core/memory", "actors/store/memory", "actors/disk", "actors/disk/disktest", "actors/journal"},
		why:   "carries logs to Core, whichever that is: it knows neither sessions nor the supervisor",
	},
	{
		folder: "supervisor/outbox",
		may: []string{
			"protocol", "actors/core", "actors/disk", "actors/failpoint", "actors/session", "actors/shipper", "actors/store", "supervisor/directory", "supervisor/folder",
			"supervisor/record", "supervisor/roster",
		},
		modules: []string{"go.uber.org/zap"}, tests: []string{"actors/disk/disktest"},
		why: "joins sessions with Core: it asks the supervisor by an interface",
	},
	{
		folder: "actors/mirror",
		may: []string{
			"protocol", "actors/ask", "actors/core", "actors/mailbox", "actors/ring", "actors/session", "actors/session/core", "actors/store",
		},
		modules: []string{"github.com/asynkron/protoactor-go"},
		tests:   []string{"actors/core/memory", "pgregory.net/rapid"},
		why:     "answers readers as a session does: it knows no supervisor, and changes nothing",
	},
	{
		folder: "supervisor/placement",
		may: []string{
			"protocol", "actors/core", "actors/core/cold", "actors/disk", "actors/failpoint", "actors/raw", "actors/session", "actors/store",
			"supervisor/folder", "supervisor/record", "supervisor/workdir",
		},
		modules: []string{"go.uber.org/zap"},
		tests:   []string{"actors/core/memory", "actors/objects", "actors/objects/memory", "actors/store/memory"},
		why:     "a node among others: it knows the supervisor by an interface, and sessions by their logs and records",
	},
	{
		folder: "supervisor/finding",
		may: []string{
			"protocol", "adapters", "actors/disk", "actors/failpoint", "actors/journal", "actors/session", "actors/store", "supervisor/core", "supervisor/folder", "supervisor/record",
		},
		modules: []string{"go.uber.org/zap"},
		why:     "reads what is on the disk: no actor, so that the supervisor can read a session that comes while it runs",
	},
	{
		folder: "supervisor/parents", may: []string{"protocol", "actors/session", "supervisor/roster"},
		why: "asks what has become of sessions: it knows neither the supervisor nor Core",
	},
	{
		folder: "supervisor/pictures",
		may: []string{
			"actors/core", "actors/core/cold", "actors/disk", "actors/objects", "actors/session", "actors/store", "supervisor/folder",
		},
		modules: []string{"go.uber.org/zap"},
		tests:   []string{"actors/core/memory", "actors/objects/memory"},
		why:     "joins pictures with the object store: it knows sessions by their folders, and no supervisor",
	},
	{
		folder: "supervisor/natives",
		may: []string{
			"actors/core", "actors/core/cold", "actors/disk", "actors/objects", "actors/objects/segment", "actors/raw", "actors/store", "supervisor/folder",
		},
		modules: []string{"go.uber.org/zap"},
		tests:   []string{"actors/core/memory", "actors/objects/memory"},
		why:     "joins archives of native lines with the object store: it knows sessions by their folders, and no supervisor",
	},
	{
		folder: "supervisor/peers", may: []string{"actors/core"},
		why: "whom a node believes, and how it connects: it knows neither sessions nor what is asked",
	},
	{
		folder: "supervisor/elsewhere",
		may: []string{
			"protocol", "actors/ask", "actors/core", "actors/core/cold", "actors/disk", "actors/mirror", "actors/raw", "actors/session", "actors/store", "supervisor",
			"supervisor/archive", "supervisor/directory", "supervisor/pictures", "supervisor/folder", "supervisor/outbox", "supervisor/placement", "supervisor/record", "supervisor/roster",
		},
		modules: []string{"github.com/asynkron/protoactor-go", "go.uber.org/zap"},
		why:     "a supervisor that knows of other nodes' sessions: it stands around the supervisor, which knows nothing of it",
	},
	{
		folder: "actors/journal", may: []string{"protocol", "actors/disk", "actors/failpoint", "actors/store"},
		tests: []string{"actors/disk/disktest", "actors/store/storetest", "scenarios/figures"},
		why:   "files only: no engine, so that it can be tested by crashing it",
	},
	{
		folder: "actors/tails", may: []string{"actors/disk", "actors/failpoint", "actors/store"}, tests: []string{"actors/disk/disktest"},
		why: "files only, and it knows no session: so it can be tested by crashing it",
	},
	{
		folder: "actors/disk", why: "the file system, for all that stores things: standard library only",
	},
	{
		folder: "actors/disk/disktest", may: []string{"actors/disk"},
		why: "a disk that fails on demand, for the tests of others too",
	},
	{
		folder: "actors/session/policy", may: []string{"protocol", "adapters", "adapters/bash"}, modules: []string{"golang.org/x/text"},
		why: "decides what may be done unasked: pure, and it knows no session",
	},
	{
		folder: "actors/budget", may: []string{"protocol"},
		why: "what is used beside what may be: sessions and the supervisor decide with it, and it knows neither",
	},
	{
		folder: "actors/price", may: []string{"protocol"},
		why: "what model requests cost by a price file: the ports and the settings use it, and it knows neither",
	},
	{
		folder: "actors/session/core", may: []string{"protocol", "adapters", "actors/budget", "actors/invariant", "actors/secret", "actors/session/policy"},
		modules: []string{"github.com/google/uuid"}, tests: []string{"adapters/...", "protocol/audit"},
		why: "decides for a session: no engine, no disk, no log of the daemon's; its clock and its adapters are handed in",
	},
	{
		folder:  "actors/session",
		may:     []string{"protocol", "adapters", "actors/ask", "actors/disk", "actors/failpoint", "actors/invariant", "actors/mailbox", "actors/ring", "actors/session/core", "actors/store"},
		modules: []string{"github.com/asynkron/protoactor-go", "go.uber.org/zap"},
		tests:   []string{"adapters/...", "actors/disk/disktest", "actors/journal", "actors/store/memory", "protocol/audit", "golang.org/x/sys"},
		why:     "knows agents by their contract only: a new agent changes nothing here",
	},
	{
		folder: "actors/secret", may: []string{"protocol"},
		why: "looks for tokens in texts: it needs to know how they begin, and nothing else",
	},
	{
		folder: "actors/vault", may: []string{"protocol", "adapters/bash"},
		why: "looks at the disk for the ports: what it is asked about comes in the protocol's terms",
	},
	{
		folder:  "actors/adapter",
		may:     []string{"protocol", "adapters", "adapters/process", "actors/failpoint", "actors/mailbox", "actors/pace", "actors/price", "actors/raw", "actors/secret", "actors/session", "actors/vault", "protocol"},
		modules: []string{"github.com/asynkron/protoactor-go", "go.uber.org/zap"},
		tests:   []string{"actors/ask", "actors/journal", "adapters/codex", "adapters/recording", "adapters/replay"},
		why:     "of the transports it takes the framer; which agent it drives comes as a value",
	},
	{
		folder: "supervisor/checkout",
		why:    "files of git, and nothing of sessions: standard library only",
	},
	{
		folder:  "supervisor",
		may:     []string{"protocol", "adapters", "actors/...", "supervisor/..."},
		modules: []string{"github.com/asynkron/protoactor-go", "github.com/google/uuid", "github.com/orcaman/concurrent-map", "go.uber.org/zap"},
		tests:   []string{"adapters/...", "protocol/audit", "scenarios/figures", "golang.org/x/sys"},
		why:     "the tree above the sessions: agents and transport are handed in by cmd",
	},
	{
		folder: "supervisor/folder", may: []string{"protocol"},
		why: "where things are in the data folder, and its lock",
	},
	{
		folder: "supervisor/workdir", may: []string{"protocol"},
		why: "folders of the machine and nothing of sessions: what is security-critical has its own fuzz target",
	},
	{
		folder: "supervisor/endpoint", may: []string{"protocol", "adapters"},
		why: "reads a URL: what is security-critical has its own fuzz target",
	},
	{
		folder: "supervisor/record", may: []string{"protocol", "actors/budget", "actors/disk", "actors/failpoint", "actors/store"}, modules: []string{"go.uber.org/zap"},
		why: "session.json is a form of its own: it must not change with the session core's",
	},
	{
		folder: "supervisor/keyring", may: []string{"actors/disk", "actors/failpoint"},
		why: "keys and their file: it knows sessions by their ids",
	},
	{
		folder: "supervisor/tally", may: []string{"actors/budget", "actors/disk", "actors/failpoint"}, tests: []string{"actors/disk/disktest", "protocol"},
		why: "a file of lines: what they mean is the ledger's affair",
	},
	{
		folder: "supervisor/groupsync", may: []string{"protocol", "actors/failpoint", "actors/session", "actors/store", "actors/tails"},
		tests: []string{"actors/disk", "actors/disk/disktest", "actors/journal"},
		why:   "syncs journals and tells their sessions",
	},
	{
		folder: "supervisor/listing", may: []string{"protocol", "actors/session", "supervisor/roster"}, tests: []string{"pgregory.net/rapid"},
		why: "answers a query from the roster: it must ask nobody",
	},
	{
		folder: "supervisor/resume", may: []string{"protocol", "adapters", "actors/ask", "actors/session", "actors/store", "supervisor/core"}, tests: []string{"actors/store/memory"},
		why: "reads a session's log for its agent",
	},
	{
		folder: "supervisor/launching",
		may: []string{
			"adapters", "actors/connection", "actors/failpoint", "actors/secret", "actors/session", "supervisor/resume", "supervisor/workdir",
		},
		modules: []string{"go.uber.org/zap"},
		why:     "starts an agent beside the supervisor's actor: what becomes of it is the core's affair",
	},
	{
		folder: "supervisor/archive", may: []string{"protocol", "adapters", "actors/disk", "actors/raw", "actors/store"}, tests: []string{"adapters/..."},
		why: "reads archives, also without a daemon",
	},
	{
		folder: "supervisor/core", may: []string{"protocol", "adapters", "actors/budget", "actors/session/core", "supervisor/endpoint", "supervisor/keep", "supervisor/workdir"}, tests: []string{"pgregory.net/rapid"},
		why: "decides, and does nothing: no actor, no disk, no clock",
	},
	{
		folder: "supervisor/keep",
		why:    "what need not be kept is a function of what there is",
	},
	{
		folder: "supervisor/retention", may: []string{"actors/disk", "supervisor/core", "supervisor/folder", "supervisor/keep"}, modules: []string{"go.uber.org/zap"},
		why: "carries out and counts what the core has decided; it asks nobody",
	},
	{
		folder: "supervisor/directory", may: []string{"actors/session"},
		why: "is read by everybody: it must ask nobody",
	},
	{
		folder: "supervisor/roster", may: []string{"protocol", "actors/ring", "actors/session"}, tests: []string{"pgregory.net/rapid"},
		why: "is read by everybody: it must ask nobody",
	},
	{
		folder: "api",
		may:    []string{"protocol", "protocol/resource", "supervisor", "supervisor/keep", "supervisor/retention", "supervisor/roster", "actors/failpoint", "actors/session", "api/..."},
		modules: []string{
			"github.com/danielgtaylor/huma/v2", "github.com/google/uuid", "github.com/prometheus/client_golang", "go.uber.org/zap",
		},
		tests: []string{
			"adapters/...", "actors/ask", "actors/core", "actors/core/memory", "actors/disk", "actors/fate/network", "actors/journal", "actors/mailbox", "actors/mirror", "actors/raw",
			"actors/ring", "actors/store", "protocol/audit",
			"scenarios/figures",
			"supervisor/archive", "supervisor/directory", "supervisor/peers", "github.com/asynkron/protoactor-go", "github.com/getkin/kin-openapi", "github.com/klauspost/compress",
			"github.com/modelcontextprotocol/go-sdk",
		},
		why: "what a client touches: it speaks to actors by their messages and never to an agent",
	},
	{
		folder: "api/client", may: []string{"protocol", "protocol/resource", "api/client/cache", "api/client/discovery", "api/client/sync"},
		why: "a client like any other, for programs of others: it may use nothing of the daemon but the protocol",
	},
	{
		folder: "api/client/sqlcache", may: []string{"protocol", "api/client", "api/client/cache", "api/client/sync"},
		why: "a cache of the client's, over database/sql: the driver is the caller's",
	},
	{
		folder: "api/client/discovery",
		why:    "reads two files of a data folder: it knows nothing of what is said to a daemon",
	},
	{
		folder: "api/client/sync", may: []string{"protocol"}, tests: []string{"api/client/cache"},
		why: "decides for a client what it keeps: pure, and imported without the daemon",
	},
	{
		folder: "api/client/cache", may: []string{"protocol", "api/client/sync"},
		why: "a client written in Go imports it without the daemon: files, and the machine whose effects it carries out",
	},
	{
		folder: "api/answer", may: []string{"api/guard"},
		why: "writes bytes to a client: it knows the route and nothing of what is said on it",
	},
	{
		folder: "api/compress", may: []string{"protocol", "api/operation"}, modules: []string{"github.com/klauspost/compress"},
		why: "bytes in, bytes out: it knows nothing of sessions",
	},
	{
		folder: "api/connection", may: []string{"api/access"}, modules: []string{"go.uber.org/zap"},
		why: "counts connections by whose they are, whatever is asked on them",
	},
	{
		folder: "api/document", may: []string{"protocol", "supervisor", "api/compress", "api/guard", "api/operation", "api/reading", "api/schema"},
		modules: []string{"github.com/danielgtaylor/huma/v2"},
		why:     "describes the operations by what these say of themselves, and knows no handler: examples are handed in",
	},
	{
		folder:  "api/fold",
		may:     []string{"protocol", "supervisor", "actors/session", "actors/store", "api/access", "api/answer", "api/compress", "api/control", "api/operation", "api/reading", "api/schema"},
		modules: []string{"github.com/danielgtaylor/huma/v2", "go.uber.org/zap"}, tests: []string{"actors/journal", "actors/ring"},
		why: "makes answers of a session's log, which it reads and never writes",
	},
	{
		folder: "api/intake", may: []string{"protocol", "api/access", "api/guard", "api/operation"},
		why: "takes bodies in before anybody knows what they say",
	},
	{
		folder:  "api/peer",
		may:     []string{"protocol", "protocol/resource", "actors/mirror", "actors/session", "api/access", "api/answer", "api/control", "api/guard", "api/operation"},
		modules: []string{"github.com/google/uuid", "go.uber.org/zap"},
		why:     "carries requests and answers between nodes: of operations it knows those that MCP makes, and neither Core nor keys",
	},
	{
		folder: "api/submission/core",
		why:    "decides about keys of idempotency: inputs in, effects out",
	},
	{
		folder: "api/submission", may: []string{"protocol", "actors/disk", "actors/failpoint", "api/submission/core"}, tests: []string{"actors/disk/disktest"},
		why: "keys and their file: it knows no operation",
	},
	{
		folder: "api/webhook/core", may: []string{"protocol", "protocol/notice", "protocol/resource"},
		why: "decides about webhooks: inputs in, effects out",
	},
	{
		folder: "api/webhook/post", may: []string{"protocol"},
		why: "sends to URLs that clients name: it knows no session and nothing of the daemon",
	},
	{
		folder: "api/webhook",
		may: []string{
			"protocol", "protocol/notice", "protocol/resource", "supervisor/roster", "actors/disk", "actors/failpoint", "actors/ring", "actors/session", "actors/store",
			"api/access", "api/control", "api/guard", "api/operation", "api/reading", "api/selection", "api/webhook/core", "api/webhook/post",
		},
		modules: []string{"github.com/google/uuid", "github.com/prometheus/client_golang", "go.uber.org/zap"}, tests: []string{"actors/disk/disktest", "actors/store/memory"},
		why: "follows sessions as a merged reader does, and keeps what became of each notice",
	},
	{
		folder: "api/operation", may: []string{"protocol", "actors/session", "actors/store", "api/access", "api/control", "api/guard", "api/schema"},
		modules: []string{"github.com/danielgtaylor/huma/v2", "go.uber.org/zap"},
		why:     "what all operations have in common: it knows none of them; of actors and stores it knows how they fail",
	},
	{
		folder: "api/queue", may: []string{"protocol", "protocol/resource", "supervisor", "actors/failpoint", "actors/session", "api/access", "api/control", "api/operation"},
		modules: []string{"github.com/danielgtaylor/huma/v2", "go.uber.org/zap"},
		why:     "hands prompts to sessions through the door; with MCP it shares what is said where nobody could be told",
	},
	{
		folder: "api/raw", may: []string{"protocol", "supervisor", "api/access", "api/answer", "api/compress", "api/operation", "api/schema"},
		modules: []string{"github.com/danielgtaylor/huma/v2", "go.uber.org/zap"},
		why:     "serves archives, for which no session needs an actor",
	},
	{
		folder: "api/reading", may: []string{"protocol", "actors/session", "actors/store", "api/control"}, tests: []string{"actors/ring", "api/schema"},
		why: "what readers of a log have in common: it knows no HTTP but the headers that say which log it is",
	},
	{
		folder: "api/schema", may: []string{"protocol"}, modules: []string{"github.com/danielgtaylor/huma/v2"},
		why: "describes the protocol: it must not know what is running",
	},
	{
		folder: "api/selection", may: []string{"protocol", "protocol/resource", "supervisor", "supervisor/roster", "api/access", "api/schema"},
		why: "is asked for every change of every session: it asks nobody",
	},
	{
		folder: "api/merged",
		may: []string{
			"protocol", "protocol/resource", "supervisor", "supervisor/roster", "actors/ring", "actors/session", "actors/store", "api/access", "api/answer",
			"api/compress", "api/control", "api/operation", "api/reading", "api/schema", "api/selection",
		},
		modules: []string{"github.com/danielgtaylor/huma/v2", "go.uber.org/zap"}, tests: []string{"actors/store/memory"},
		why: "reads many logs from rings and stores, and the list of sessions: it asks the supervisor nothing",
	},
	{
		folder: "api/login", may: []string{"protocol", "protocol/resource", "api/access", "api/guard", "api/operation"},
		why: "codes and tokens: it knows no session",
	},
	{
		folder: "api/starting", may: []string{"protocol", "api/answer", "api/connection", "api/guard", "api/intake", "api/operation"},
		why: "answers before there is an API: it knows no session and no token",
	},
	{
		folder: "api/profile", may: []string{"protocol", "api/guard", "api/operation"}, modules: []string{"github.com/danielgtaylor/huma/v2"},
		why: "profiles of the process: it knows nothing of what the daemon does",
	},
	{
		folder: "api/vitals", may: []string{"protocol/resource", "actors/shipper", "supervisor", "supervisor/keep"}, modules: []string{"github.com/prometheus/client_golang"},
		why: "the supervisor's health as metrics: no request, no route",
	},
	{
		folder: "api/web", may: []string{"api/guard", "api/operation"},
		why: "static files: the page is a client like any other, and knows the API by its routes",
	},
	{
		folder: "api/wait",
		may: []string{
			"protocol", "protocol/resource", "supervisor", "supervisor/roster", "actors/ring", "api/access", "api/operation", "api/selection",
		},
		tests: []string{"actors/session"},
		why:   "looks at the list of sessions: it asks no session and reads no log",
	},
	{
		folder: "api/stream",
		may: []string{
			"protocol", "actors/failpoint", "actors/ring", "actors/session", "actors/store", "api/access", "api/answer", "api/compress", "api/control", "api/operation",
			"api/reading", "api/schema",
		},
		modules: []string{"github.com/danielgtaylor/huma/v2", "go.uber.org/zap"}, tests: []string{"actors/store/memory"},
		why: "serves logs from the ring and the store: it knows no supervisor",
	},
	{
		folder: "api/access", may: []string{"protocol", "supervisor", "supervisor/directory", "supervisor/keep", "supervisor/retention", "supervisor/roster", "actors/session"}, modules: []string{"go.uber.org/zap"},
		why: "who may do what: it stands between every surface and the supervisor, and knows neither HTTP nor MCP",
	},
	{
		folder: "api/guard", may: []string{"protocol", "api/access"}, modules: []string{"golang.org/x/sys"},
		why: "stands before every route, which is handed in: it knows no handler, and nothing of sessions",
	},
	{
		folder: "api/control", may: []string{"protocol", "supervisor", "actors/ask", "actors/session"},
		why: "the door to sessions: it knows neither HTTP nor MCP, and they know no actors",
	},
	{
		folder:  "api/mcp",
		may:     []string{"protocol", "supervisor", "actors/session", "api/access", "api/control", "api/mcp/...", "api/reading", "api/submission"},
		modules: []string{"github.com/modelcontextprotocol/go-sdk", "go.uber.org/zap"},
		why:     "the same for clients of MCP: it composes the parts below it, and HTTP's guard stands before it",
	},
	{
		folder: "api/mcp/problem", may: []string{"protocol", "api/control"}, modules: []string{"github.com/modelcontextprotocol/go-sdk", "go.uber.org/zap"},
		why: "words errors, whatever has failed",
	},
	{
		folder: "api/mcp/stream", may: []string{"api/mcp/problem"}, modules: []string{"github.com/modelcontextprotocol/go-sdk"},
		why: "bytes on their way to a client: it knows no session",
	},
	{
		folder: "api/mcp/feed", may: []string{"protocol", "actors/ring", "actors/session", "actors/store", "api/control"},
		why: "reads logs: it does not know who reads, nor that there is MCP",
	},
	{
		folder: "api/mcp/output", may: []string{"protocol", "actors/session"},
		why: "shows what it is given: it asks nobody",
	},
	{
		folder: "api/mcp/form", may: []string{"protocol", "actors/session", "api/access", "api/control", "api/mcp/problem"},
		modules: []string{"github.com/google/jsonschema-go", "github.com/modelcontextprotocol/go-sdk"},
		why:     "asks a user and passes the answer on: it decides whose answers count, so that nothing else does",
	},
	{
		folder: "api/mcp/client", may: []string{"api/access", "api/mcp/form", "api/mcp/stream"}, modules: []string{"github.com/modelcontextprotocol/go-sdk"},
		why: "MCP sessions and their bounds: it knows no session of an agent",
	},
	{
		folder:  "api/mcp/call",
		may:     []string{"protocol", "actors/failpoint", "actors/session", "api/access", "api/mcp/problem", "api/submission", "api/submission/core"},
		modules: []string{"github.com/google/jsonschema-go", "github.com/modelcontextprotocol/go-sdk"},
		why:     "what a call is, whichever tool is called: it reaches no session",
	},
	{
		folder: "api/mcp/caller", may: []string{"protocol", "actors/session", "api/access", "api/control", "api/mcp/call", "api/mcp/client", "api/mcp/problem"},
		modules: []string{"github.com/modelcontextprotocol/go-sdk"},
		why:     "tools of clients stand beside the daemon's own, of which it knows the names alone",
	},
	{
		folder: "api/mcp/task", may: []string{"protocol", "api/access", "api/control", "api/mcp/call", "api/mcp/feed", "api/mcp/form", "api/mcp/output", "api/mcp/problem"},
		modules: []string{"github.com/modelcontextprotocol/go-sdk"},
		tests:   []string{"actors/session"},
		why:     "a task follows from the log alone: it knows no tool",
	},
	{
		folder: "api/mcp/push",
		may: []string{
			"protocol", "actors/failpoint", "api/access", "api/control", "api/mcp/call", "api/mcp/client", "api/mcp/feed", "api/mcp/output", "api/mcp/problem",
			"api/mcp/stream",
		},
		modules: []string{"github.com/modelcontextprotocol/go-sdk", "go.uber.org/zap"},
		why:     "tells what happens to those that listen: it does nothing to sessions",
	},
	{
		folder: "api/mcp/poll",
		may: []string{
			"protocol", "supervisor", "actors/failpoint", "actors/session", "api/control", "api/mcp/call", "api/mcp/caller", "api/mcp/feed", "api/mcp/form",
			"api/mcp/output", "api/mcp/problem", "api/mcp/push", "api/mcp/task",
		},
		modules: []string{"github.com/modelcontextprotocol/go-sdk"},
		tests:   []string{"api/access"},
		why:     "reads pages of events: it does nothing to sessions",
	},
	{
		folder: "api/mcp/join",
		may: []string{
			"protocol", "actors/session", "api/access", "api/control", "api/mcp/call", "api/mcp/caller", "api/mcp/client", "api/mcp/feed", "api/mcp/form",
			"api/mcp/output", "api/mcp/problem", "api/mcp/task",
		},
		modules: []string{"github.com/modelcontextprotocol/go-sdk"},
		why:     "waits for what becomes of sessions: of what it does to them there is the answer of a user alone",
	},
	{
		folder: "api/mcp/tool",
		may: []string{
			"protocol", "supervisor", "actors/session", "api/access", "api/control", "api/mcp/call", "api/mcp/caller", "api/mcp/feed", "api/mcp/form", "api/mcp/join",
			"api/mcp/output", "api/mcp/poll", "api/mcp/problem", "api/mcp/push", "api/mcp/task",
		},
		modules: []string{"github.com/google/jsonschema-go", "github.com/modelcontextprotocol/go-sdk"},
		tests:   []string{"go.uber.org/zap"},
		why:     "a face of the door: each tool maps its arguments to a verb",
	},
	{
		folder: "cmd/ringmaster/picture", may: []string{"protocol/resource"},
		why: "files and names of pictures, whoever wants them: it knows no daemon",
	},
	{
		folder: "cmd/ringmaster/reason", may: []string{"protocol"}, tests: []string{"actors/session/policy"},
		why: "pure: what follows from a policy and a log, for every face",
	},
	{
		folder: "cmd/ringmaster/terminal", may: []string{"cmd/ringmaster/picture", "cmd/ringmaster/reason", "protocol"}, modules: []string{"golang.org/x/text"},
		why: "draws events, whoever sent them",
	},
	{
		folder: "cmd/ringmaster/keys",
		why:    "bytes of a keyboard, and nothing of what they are for",
	},
	{
		folder: "cmd/ringmaster/tty", may: []string{"cmd/ringmaster/keys", "cmd/ringmaster/terminal"}, modules: []string{"golang.org/x/sys", "golang.org/x/term"},
		tests: []string{"cmd/ringmaster/tty/ttytest"},
		why:   "the terminal as a device: it knows no session",
	},
	{
		folder: "cmd/ringmaster/tty/ttytest", modules: []string{"golang.org/x/sys", "golang.org/x/text"},
		why: "a terminal for tests: it knows nothing of the program, whose own idea of widths is what is tested",
	},
	{
		folder: "cmd/ringmaster/desk", may: []string{"protocol", "protocol/resource"},
		why: "values between the faces of the terminal and what carries out",
	},
	{
		folder: "cmd/ringmaster/needs", may: []string{"protocol", "protocol/resource"},
		why: "pure: who needs somebody follows from lists",
	},
	{
		folder: "cmd/ringmaster/asked", may: []string{"cmd/ringmaster/keys", "cmd/ringmaster/terminal", "protocol", "protocol/resource"},
		why: "pure: requests and keys in, lines and answers out",
	},
	{
		folder: "cmd/ringmaster/topic",
		may: []string{
			"cmd/ringmaster/desk", "cmd/ringmaster/keys", "cmd/ringmaster/picture", "cmd/ringmaster/reason", "cmd/ringmaster/terminal", "protocol", "protocol/resource",
		},
		why: "pure: what of a session can be chosen, for every face",
	},
	{
		folder: "cmd/ringmaster/board",
		may: []string{
			"cmd/ringmaster/asked", "cmd/ringmaster/desk", "cmd/ringmaster/keys", "cmd/ringmaster/needs", "cmd/ringmaster/picture", "cmd/ringmaster/reason", "cmd/ringmaster/terminal", "cmd/ringmaster/topic", "protocol", "protocol/resource",
		},
		tests: []string{"cmd/ringmaster/tty/ttytest"},
		why:   "pure: a face decides without a connection and without a terminal",
	},
	{
		folder: "cmd/ringmaster/plain",
		may: []string{
			"cmd/ringmaster/asked", "cmd/ringmaster/desk", "cmd/ringmaster/keys", "cmd/ringmaster/needs", "cmd/ringmaster/reason", "cmd/ringmaster/terminal", "cmd/ringmaster/topic", "protocol", "protocol/resource",
		},
		why: "pure: a face decides without a connection and without a terminal",
	},
	{
		folder: "cmd/ringmaster/link", may: []string{"api/client", "cmd/ringmaster/desk", "cmd/ringmaster/exit", "cmd/ringmaster/picture", "protocol", "protocol/resource"},
		why: "carries out what a face wishes, as any client does: it knows no face and no terminal",
	},
	{
		folder: "cmd/ringmaster/face",
		may: []string{
			"api/client", "cmd/ringmaster/board", "cmd/ringmaster/browser", "cmd/ringmaster/console", "cmd/ringmaster/desk", "cmd/ringmaster/exit", "cmd/ringmaster/keys",
			"cmd/ringmaster/link", "cmd/ringmaster/plain", "cmd/ringmaster/terminal", "cmd/ringmaster/tty",
		},
		tests: []string{"cmd/ringmaster/tty/ttytest"},
		why:   "a face on a terminal: of the daemon it has a client",
	},
	{
		folder: "cmd/ringmaster/selftest", may: []string{"adapters/process", "adapters/scripted", "api/client", "api/client/discovery", "cmd/ringmaster/datafolder", "cmd/ringmaster/program", "protocol", "protocol/audit", "protocol/resource", "supervisor"},
		why: "runs the program as a process and holds what it shows against the validators that every proof uses",
	},
	{
		folder: "cmd/ringmaster/program", may: []string{"actors/invariant"},
		why: "the daemon as a process: it must not know what is proven of it",
	},
	{
		folder: "cmd/ringmaster/datafolder", may: []string{"actors/failpoint", "api/client/discovery"},
		why: "names and reads files of the data folder, for the daemon and its clients",
	},
	{
		folder: "cmd/ringmaster/exit", may: []string{"api/client", "cmd/ringmaster/terminal", "protocol"},
		why: "tells how a command ended: it knows no command, and no daemon but by its client",
	},
	{
		folder: "cmd/ringmaster/browser", may: []string{"cmd/ringmaster/console"},
		why: "opens a page on this desktop, and knows nothing of sessions",
	},
	{
		folder: "cmd/ringmaster/console", may: []string{"cmd/ringmaster/exit", "cmd/ringmaster/terminal"},
		modules: []string{"github.com/spf13/cobra", "golang.org/x/term"},
		why:     "what every command has of its process: it knows no command and no daemon",
	},
	{
		folder: "cmd/ringmaster/follow",
		may: []string{
			"api/client", "cmd/ringmaster/asked", "cmd/ringmaster/console", "cmd/ringmaster/exit", "cmd/ringmaster/keys", "cmd/ringmaster/terminal", "cmd/ringmaster/tty",
			"protocol", "protocol/resource",
		},
		modules: []string{"golang.org/x/sys"},
		why:     "shows a log as a client gets it, whichever command wants it",
	},
	{
		folder: "cmd/ringmaster/watch", may: []string{"api/client", "api/client/sync", "protocol", "protocol/notice", "protocol/resource"},
		why: "tells programs of what happens in sessions, as a client gets it: it knows no command and no terminal",
	},
	{
		folder: "cmd/ringmaster/logfile", may: []string{"cmd/ringmaster/datafolder", "cmd/ringmaster/terminal"}, modules: []string{"golang.org/x/sys"},
		why: "a file: the daemon writes it, and a command reads it",
	},
	{
		folder: "cmd/ringmaster/settings",
		may: []string{
			"actors/objects", "actors/objects/s3", "actors/price", "actors/raw", "adapters", "api", "api/webhook/post", "cmd/ringmaster/console", "cmd/ringmaster/daemon", "cmd/ringmaster/daemon/peering", "cmd/ringmaster/datafolder", "cmd/ringmaster/exit",
			"cmd/ringmaster/logfile", "supervisor", "supervisor/keep", "supervisor/placement", "supervisor/workdir",
		},
		modules: []string{"github.com/BurntSushi/toml", "github.com/spf13/cobra", "github.com/spf13/pflag", "go.uber.org/zap"},
		why:     "makes of flags what a daemon is started with, and starts none",
	},
	{
		folder: "cmd/ringmaster/lifecycle",
		may: []string{
			"api/client", "api/client/discovery", "cmd/ringmaster/console", "cmd/ringmaster/daemon", "cmd/ringmaster/datafolder",
			"cmd/ringmaster/exit", "cmd/ringmaster/logfile", "cmd/ringmaster/settings", "protocol", "protocol/resource",
		},
		modules: []string{"github.com/spf13/pflag"},
		why:     "has a daemon run for commands: it knows none of them",
	},
	{
		folder: "cmd/ringmaster/command/limit", may: []string{"cmd/ringmaster/exit", "protocol", "protocol/resource"},
		why: "words of the command line, for the commands that have budgets",
	},
	{
		folder: "cmd/ringmaster/command/webhook",
		may: []string{
			"api/client", "cmd/ringmaster/console", "cmd/ringmaster/exit", "cmd/ringmaster/lifecycle", "protocol/notice", "protocol/resource",
		},
		modules: []string{"github.com/spf13/cobra"},
		why:     "asks a daemon as any client does",
	},
	{
		folder: "cmd/ringmaster/command/session",
		may: []string{
			"api/client", "cmd/ringmaster/board", "cmd/ringmaster/browser", "cmd/ringmaster/console", "cmd/ringmaster/daemon", "cmd/ringmaster/datafolder",
			"cmd/ringmaster/exit", "cmd/ringmaster/command/limit", "cmd/ringmaster/face", "cmd/ringmaster/follow", "cmd/ringmaster/picture", "cmd/ringmaster/plain",
			"cmd/ringmaster/lifecycle", "cmd/ringmaster/settings", "cmd/ringmaster/terminal", "protocol",
			"protocol/resource",
		},
		modules: []string{"github.com/spf13/cobra"},
		why:     "asks a daemon as any client does: of its inside it takes the names of agents and one flag",
	},
	{
		folder: "cmd",
		may:    []string{"protocol", "protocol/notice", "protocol/resource", "adapters/...", "actors/...", "supervisor", "supervisor/folder", "supervisor/keep", "supervisor/elsewhere", "supervisor/natives", "supervisor/outbox", "supervisor/parents", "supervisor/peers", "supervisor/pictures", "supervisor/placement", "api", "api/coreapi", "api/access", "api/peer", "api/submission", "api/webhook", "api/webhook/post", "api/client/...", "cmd/..."},
		modules: []string{
			"github.com/google/uuid", "github.com/spf13/cobra", "go.uber.org/zap", "golang.org/x/sys",
		},
		tests: []string{"protocol/audit", "supervisor/archive", "github.com/modelcontextprotocol/go-sdk", "github.com/spf13/pflag"},
		why:   "wiring: the one place that knows everybody",
	},
	{
		folder: "scenarios/authority", why: "vouches for servers of tests: it must not know which",
	},
	{
		folder: "scenarios/leaks", may: []string{"actors/invariant"}, modules: []string{"go.uber.org/goleak"},
		why: "what all tests end with: it must not know what they test",
	},
	{
		folder: "scenarios/fake", may: []string{"adapters", "adapters/httpline"}, modules: []string{"github.com/coder/websocket"},
		why: "plays what programs of agents say: it must not know what the daemon makes of it",
	},
	{
		folder: "house", tests: []string{"actors/failpoint", "actors/session/core", "cmd/...", "protocol", "scenarios/...", "go.yaml.in/yaml/v3"},
		why: "the rules read the files, and take lists and limits from the packages that have them",
	},
	{
		folder:  "scenarios",
		may:     []string{"protocol", "protocol/audit", "protocol/notice", "protocol/resource", "adapters/...", "actors/...", "supervisor", "api", "api/access", "api/peer", "api/client/...", "cmd/...", "scenarios/..."},
		modules: []string{"go.uber.org/zap"},
		tests: []string{
			"github.com/HdrHistogram/hdrhistogram-go", "github.com/anishathalye/porcupine",
			"github.com/asynkron/protoactor-go", "github.com/modelcontextprotocol/go-sdk", "golang.org/x/sys",
		},
		why: "behaviour of the whole, in process and as a process",
	},
}

// testModules may be imported by every test.
var testModules = []string{"github.com/rogpeppe/go-internal", "golang.org/x/tools", "pgregory.net/rapid", "scenarios/authority", "scenarios/clock", "scenarios/leaks"}

// never are imports that must not come about in any number of steps.
var never = []struct{ from, to, why string }{
	{"api", "adapters/pi", "the API never sees an agent"},
	{"api", "adapters/scripted", "the API never sees an agent"},
	{"supervisor", "adapters/pi", "agents are handed in"},
	{"supervisor", "adapters/scripted", "agents are handed in"},
	{"adapters", "actors", "an agent's package never sees actors"},
	{"protocol", "adapters", "the protocol is the lowest layer"},
	{"cmd/ringmaster", "scenarios", "the program is shipped without its proofs"},
	{"api/client", "actors", "a client is linked without the daemon"},
	{"api/client", "cmd", "a client is linked without the program"},
	{"api/client", "supervisor", "a client is linked without the daemon"},
	{"cmd/ringmaster/terminal", "supervisor", "a client is linked without the daemon"},
	{"cmd/ringmaster/follow", "supervisor", "a client is linked without the daemon"},
	{"cmd/ringmaster/face", "supervisor", "a client is linked without the daemon"},
	{"cmd/ringmaster/board", "api/client", "a face decides without a connection"},
	{"cmd/ringmaster/plain", "api/client", "a face decides without a connection"},
}

type goPackage struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Deps         []string
}

func (p goPackage) name() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
}

func TestImportRules(t *testing.T) {
	used := map[string]bool{}
	std := standard(t)
	for _, p := range list(t, "./...") {
		row := layerOf(p.name())
		if row == nil {
			t.Errorf("%s: no row of the import rules covers it", p.name())
			continue
		}
		for _, imp := range p.Imports {
			allowed, by := permits(row, false, imp)
			if !allowed && !std[imp] {
				t.Errorf("%s imports %s: not allowed for %s (%s)", p.name(), imp, row.folder, row.why)
			}
			used[row.folder+" "+by] = true
		}
		for _, imp := range append(slices.Clone(p.TestImports), p.XTestImports...) {
			allowed, by := permits(row, true, imp)
			if !allowed && !std[imp] && imp != p.ImportPath {
				t.Errorf("the tests of %s import %s: not allowed for %s (%s)", p.name(), imp, row.folder, row.why)
			}
			used[row.folder+" "+by] = true
		}
	}
	for _, row := range layers {
		for _, m := range row.modules {
			if !used[row.folder+" "+m] {
				t.Errorf("stale: nothing under %s imports %s any more", row.folder, m)
			}
		}
	}
}

func TestImportsThatMustNotComeAbout(t *testing.T) {
	for _, p := range list(t, "./...") {
		for _, n := range never {
			if !within(p.name(), n.from) {
				continue
			}
			for _, d := range p.Deps {
				if to, own := strings.CutPrefix(d, module+"/"); own && within(to, n.to) {
					t.Errorf("%s reaches %s: %s", p.name(), to, n.why)
				}
			}
		}
	}
}

func within(name, folder string) bool { return name == folder || strings.HasPrefix(name, folder+"/") }

func layerOf(name string) *layer {
	var best *layer
	for i := range layers {
		if within(name, layers[i].folder) && (best == nil || len(layers[i].folder) > len(best.folder)) {
			best = &layers[i]
		}
	}
	return best
}

// permits says whether a row allows an import, and by which entry.
func permits(row *layer, test bool, imp string) (ok bool, by string) {
	own, isOwn := strings.CutPrefix(imp, module+"/")
	may := append(slices.Clone(row.may), row.modules...)
	if test {
		may = append(append(may, row.tests...), testModules...)
	}
	for _, m := range may {
		tree, all := strings.CutSuffix(m, "/...")
		switch {
		case isOwn && (own == m || all && within(own, tree)):
			return true, m
		case !isOwn && within(imp, m):
			return true, m
		}
	}
	return false, ""
}

func standard(t *testing.T) map[string]bool {
	t.Helper()
	std := map[string]bool{"C": true}
	for _, p := range list(t, "std") {
		std[p.ImportPath] = true
	}
	return std
}

func list(t *testing.T, pattern string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports,Deps", pattern)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	var all []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}
