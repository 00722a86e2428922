package supervisor

import (
	"os"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
)

// TestEngineLogsWarnings at every level of the daemon's own log, also when that is changed, and a level above warnings is no reason to complain.
// Proves: I15.8/level
func TestEngineLogsWarnings(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	level := zap.NewAtomicLevelAt(zapcore.ErrorLevel)
	inner, lines := observer.New(level)
	system, end := newSystem(zap.New(inner, zap.ErrorOutput(zapcore.AddSync(write))))
	t.Cleanup(func() {
		system.Shutdown()
		end()
	})
	write.Close()
	complaint := make([]byte, 1<<10)
	if n, _ := read.Read(complaint); n > 0 {
		t.Errorf("it complains: %s", complaint[:n])
	}
	for at, want := range map[zapcore.Level]int{zapcore.DebugLevel: 2, zapcore.InfoLevel: 2, zapcore.WarnLevel: 2, zapcore.ErrorLevel: 1} {
		lines.TakeAll()
		level.SetLevel(at)
		log := system.Logger().With("one", 1).WithGroup("more")
		log.Debug("debug")
		log.Info("info")
		log.Warn("warn")
		log.Error("error")
		if got := lines.TakeAll(); len(got) != want || got[len(got)-1].Message != "error" {
			t.Errorf("at %s: %d lines, want %d", at, len(got), want)
		}
	}
}
