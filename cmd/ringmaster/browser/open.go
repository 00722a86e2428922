package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// errNoDesktop is why nothing is asked to open a link.
var errNoDesktop = errors.New("there is no desktop here")

// opener is the program that opens links on a desktop of a system.
func opener(system string, getenv func(string) string) (string, error) {
	switch {
	case system == "darwin":
		return "open", nil
	case getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "":
		return "", errNoDesktop
	}
	return "xdg-open", nil
}

// Open has the desktop show a file, or a page.
func Open(ctx context.Context, what string) error { return open(ctx, what, patience) }

// open asks the desktop to open a link. nil: it does, or has not said within some time that it does not. The browser outlives this program.
func open(ctx context.Context, link string, patience time.Duration) error {
	name, err := opener(runtime.GOOS, os.Getenv)
	if err != nil {
		return err
	}
	program, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("%s is not installed", name)
	}
	cmd := exec.Command(program, link)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // the signals of the command's terminal are not for the browser
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s does not start", name) // without the link, which the error would have
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }() // ends with the desktop's program, or with this one
	wait := time.NewTimer(patience)
	defer wait.Stop()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("%s failed", name)
		}
	case <-wait.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}
