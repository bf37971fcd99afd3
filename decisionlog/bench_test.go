package decisionlog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"earshot/decisionlog"
	"earshot/policy"
)

const producers = 64

// BenchmarkRecord measures 64 callers that wait for each answer, with items and people the log has
// seen before. "of-append" is the share of the rate that plain group commit with fdatasync reaches
// with as many bytes in the same run.
func BenchmarkRecord(b *testing.B) {
	for _, candidates := range []int{10, 100} {
		b.Run(fmt.Sprintf("candidates=%d", candidates), func(b *testing.B) {
			dir := b.TempDir()
			l := open(b, decisionlog.Config{Dir: dir})
			seen := make([]*policy.Entry, 500)
			for i := range seen {
				seen[i] = numbered(i, candidates)
				record(b, l, seen[i])
			}
			before := l.Committed()
			b.ResetTimer()
			produce(b.N, func(i int) {
				e := *seen[i%len(seen)]
				e.ID = fmt.Sprintf("01931c5e-7d2a-7c1f-9a58-%012d", i)
				e.Request.Turn.ID = fmt.Sprintf("another-turn-%d", i)
				if _, err := l.Record(b.Context(), &e); err != nil {
					b.Error(err)
				}
			})
			b.StopTimer()
			rate := float64(b.N) / b.Elapsed().Seconds()
			if got := l.Committed() - before; got != uint64(b.N) {
				b.Fatalf("%d rows, want %d", got, b.N)
			}

			size := payloadSize(b, l)
			plain := appendPlainly(b, dir, b.N, int(size)+350)
			b.ReportMetric(rate, "decisions/s")
			b.ReportMetric(rate/plain, "of-append")
			b.ReportMetric(size, "payload-B/decision")
		})
	}
}

// produce calls do for 0 … n-1 from all producers.
func produce(n int, do func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range producers {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	all.Wait()
}

func payloadSize(b *testing.B, l *decisionlog.Log) (size float64) {
	row := l.Reader().QueryRow(`SELECT avg(length(payload)) FROM (SELECT payload FROM entry ORDER BY seq DESC LIMIT 1000)`)
	if err := row.Scan(&size); err != nil {
		b.Fatal(err)
	}
	return size
}

// appendPlainly returns how many records of a size a second a bare file takes with group commit.
func appendPlainly(b *testing.B, dir string, n, size int) float64 {
	file, err := os.Create(filepath.Join(dir, "plain"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	type job struct {
		record []byte
		done   chan struct{}
	}
	jobs := make(chan job, 4096)
	go func() {
		for first := range jobs {
			batch := []job{first}
			for len(jobs) > 0 && len(batch) < 256 {
				batch = append(batch, <-jobs)
			}
			var block []byte
			for _, j := range batch {
				block = append(block, j.record...)
			}
			if _, err := file.Write(block); err != nil {
				b.Error(err)
			}
			if err := unix.Fdatasync(int(file.Fd())); err != nil {
				b.Error(err)
			}
			for _, j := range batch {
				close(j.done)
			}
		}
	}()
	b.ResetTimer()
	b.StartTimer()
	produce(n, func(int) {
		j := job{record: make([]byte, size), done: make(chan struct{})}
		jobs <- j
		<-j.done
	})
	b.StopTimer()
	close(jobs)
	return float64(n) / b.Elapsed().Seconds()
}
