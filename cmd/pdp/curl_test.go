package main

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

// curl is as much of the well-known program as the README uses, for machines that lack it.
func curl() {
	var (
		silent = flag.Bool("s", false, "no progress; there is none")
		data   = flag.String("d", "", "body of a POST; @FILE reads a file")
		header = flag.String("H", "", "a header")
	)
	flag.Parse()
	if !*silent || flag.NArg() != 1 {
		fail(fmt.Errorf("usage: curl -s [-H header] [-d @file] url"))
	}
	method, body := http.MethodGet, *data
	if body != "" {
		method = http.MethodPost
	}
	if name, ok := strings.CutPrefix(body, "@"); ok {
		content, err := os.ReadFile(name)
		if err != nil {
			fail(err)
		}
		body = string(content)
	}
	req, err := http.NewRequest(method, flag.Arg(0), strings.NewReader(body))
	if err != nil {
		fail(err)
	}
	if name, value, ok := strings.Cut(*header, ":"); ok {
		req.Header.Set(name, strings.TrimSpace(value))
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		fail(err)
	}
	if _, err := io.Copy(os.Stdout, resp.Body); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "curl:", err)
	os.Exit(2)
}
