package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// A file-size limit then makes a write fail, which the log answers for, instead of ending the
	// program.
	signal.Ignore(syscall.SIGXFSZ)

	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	// Whoever starts the program with SIGHUP ignored, as nohup does, wants it to outlive the terminal.
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	// The first signal asks for a graceful stop. A second one ends the program at once.
	context.AfterFunc(ctx, stop)

	os.Exit(run(ctx, &process{
		args:   os.Args[1:],
		stdin:  os.Stdin,
		stdout: os.Stdout,
		stderr: os.Stderr,
		getenv: os.LookupEnv,
	}))
}

// process is what a command sees of the world outside.
type process struct {
	args           []string // without the program's name
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) (string, bool)
}
