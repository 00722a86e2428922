package access

import "context"

// administers refuses every principal but an administrator, with a word on what it may not.
func administers(ctx context.Context, detail string) error {
	p, err := asks(ctx)
	if err == nil && p.Scope != Admin {
		err = refuse(ctx, detail, "Use a token of the scope admin.")
	}
	return err
}

// writes refuses a principal that only reads.
func writes(ctx context.Context) error {
	p, err := asks(ctx)
	if err == nil && !p.Writes() {
		err = readsOnly(ctx)
	}
	return err
}
