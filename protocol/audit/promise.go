package audit

import (
	"errors"
	"fmt"
	"strings"
)

// What a history can break, besides ErrOrdered. Errors of the validators wrap one of these.
var (
	ErrUnique     = errors.New("not unique")     // P2: no event twice to a client that keeps its cursor
	ErrReliable   = errors.New("not reliable")   // P3: no gap
	ErrResumable  = errors.New("not resumable")  // P4: a cursor goes on where it stands
	ErrAgreeing   = errors.New("not agreeing")   // P5: all channels show the same
	ErrDurable    = errors.New("not durable")    // P6: what was shown or accepted is there
	ErrReaped     = errors.New("not reaped")     // P15: no process outlives its daemon's successor
	ErrGraceful   = errors.New("not graceful")   // P20: SIGTERM ends it in time and in order
	ErrIdempotent = errors.New("not idempotent") // P21: one key, one turn

	// ErrLost and ErrRenumbered are the two ways of ErrDurable.
	ErrLost       = fmt.Errorf("%w: lost", ErrDurable)
	ErrRenumbered = fmt.Errorf("%w: renumbered", ErrDurable)
)

// broken tells which entry of a history breaks a promise.
func (h History) broken(i int, promise error, format string, args ...any) error {
	e := &h[i]
	return fmt.Errorf("%w: %s, line %d of the history of %s (%s %s, session %s, epoch %d, event %d)", promise, fmt.Sprintf(format, args...),
		i+1, e.Client, e.Channel, e.Kind, e.Session, e.Epoch, e.Seq)
}

// Run says what was being done when a promise broke, and how to do it again.
type Run struct {
	Seed    uint64
	Point   string   // fault point, or what else was done
	Files   []string // histories, and what else was kept
	Command string   // that repeats it
}

// Fail makes the error that a lane reports; nil for nil.
func (r Run) Fail(err error) error {
	if err == nil {
		return nil
	}
	return &BrokenError{r, err}
}

// BrokenError is a broken promise with everything that is needed to see it again.
type BrokenError struct {
	Run Run
	Err error
}

func (f *BrokenError) Error() string {
	return fmt.Sprintf("%v\n  seed     %d\n  at       %s\n  history  %s\n  again    %s",
		f.Err, f.Run.Seed, f.Run.Point, strings.Join(f.Run.Files, "\n           "), f.Run.Command)
}

func (f *BrokenError) Unwrap() error { return f.Err }

// Check holds histories against what the logs are now, promise by promise. Every history is checked; the error holds what
// each breaks first.
func Check(logs Ledgers, histories ...History) error {
	var errs []error
	for _, h := range histories {
		errs = append(errs, checkOne(logs, h))
	}
	return errors.Join(errs...)
}

func checkOne(logs Ledgers, h History) error {
	for _, err := range []error{
		Ordered(h), Unique(h), Resumable(h, logs), Durable(h, logs), Agreeing(h, logs), Reliable(h, logs), Idempotent(h, logs), Reaped(h), Graceful(h),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}
