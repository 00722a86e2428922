package supervisor_test

import (
	"bytes"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/supervisor"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// TestQuietLog: a daemon that logs errors alone begins and ends without a word, also of the log itself.
func TestQuietLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said, complaints bytes.Buffer
		core := zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.AddSync(&said), zap.ErrorLevel)
		d := start(t, t.TempDir(), func(c *supervisor.Config) {
			c.Log = zap.New(core, zap.ErrorOutput(zapcore.AddSync(&complaints)))
		})
		d.close()
		if said.Len()+complaints.Len() > 0 {
			t.Errorf("%s%s", &said, &complaints)
		}
	})
}
