package main

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// load is a number of callers that ask a server without a pause.
type load struct {
	client   *http.Client
	quit     chan struct{}
	callers  sync.WaitGroup
	expectIt atomic.Bool // the server is about to be killed: failed calls are no surprise

	mu       sync.Mutex
	answered map[string]bool // ids of answers with 200, read to their end
	refused  int             // answers with 503 log_unavailable
	surprise error           // the first answer that is neither
	news     chan struct{}   // has room for one: something was counted
}

func startLoad(c *child, callers int) *load {
	l := &load{
		client:   &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers}},
		quit:     make(chan struct{}),
		answered: map[string]bool{},
		news:     make(chan struct{}, 1),
	}
	for range callers {
		l.callers.Go(func() {
			for {
				select {
				case <-l.quit:
					return
				default:
					l.ask(c)
				}
			}
		})
	}
	return l
}

func (l *load) ask(c *child) {
	a, err := c.decide(l.client)
	if err != nil && l.expectIt.Load() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil:
		l.surprised(err)
	case a.status == http.StatusOK && a.ID != "":
		l.answered[a.ID] = true
	case a.status == http.StatusServiceUnavailable && a.Code == "log_unavailable" && len(a.Admitted) == 0:
		l.refused++
	default:
		l.surprised(fmt.Errorf("answer %+v", a))
	}
	select {
	case l.news <- struct{}{}:
	default:
	}
}

func (l *load) surprised(err error) {
	if l.surprise == nil {
		l.surprise = err
	}
}

// until waits for the counts to satisfy enough. It fails the test on an answer that is neither 200
// nor 503.
func (l *load) until(t *testing.T, what string, enough func(answered, refused int) bool) {
	t.Helper()
	giveUp := time.After(tooLong)
	for {
		l.mu.Lock()
		answered, refused, surprise := len(l.answered), l.refused, l.surprise
		l.mu.Unlock()
		switch {
		case surprise != nil:
			t.Fatal(surprise)
		case enough(answered, refused):
			return
		}
		select {
		case <-l.news:
		case <-giveUp:
			t.Fatalf("gave up waiting for %s: %d answered, %d refused", what, answered, refused)
		}
	}
}

// stop ends the callers and returns what was answered. Failed calls from now on are no surprise.
func (l *load) stop() map[string]bool {
	l.expectIt.Store(true)
	close(l.quit)
	l.callers.Wait()
	l.client.CloseIdleConnections()
	return l.answered
}
