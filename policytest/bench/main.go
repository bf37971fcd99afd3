// Command bench measures what a decision costs: this service as a process of its own, beside it stock
// OPA with the same policy, and in this process what the least and what ordinary Go code would take.
//
// What it promises: both servers are asked the same questions in one run, and their answers are checked
// before they are measured. What it never does: judge. It prints figures of the machine it runs on.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/alecthomas/kong"
)

// flags are the command line.
type flags struct {
	Quick      bool          `help:"One small point for less than a minute, to see that the program works."`
	JSON       bool          `name:"json" help:"Print one JSON object a line instead of a table."`
	PDP        string        `name:"pdp" placeholder:"FILE" help:"The program pdp; without it, it is built."`
	OPA        string        `name:"opa" placeholder:"FILE" help:"Stock opa, measured without and with its decision log on the console (to /dev/null); without it, left out."`
	Policy     string        `default:"policy/bundle" help:"Folder of the policy that opa is given."`
	Candidates []int         `default:"1,10,100,1000" help:"Candidates a request."`
	Audience   []int         `default:"20,200,5000" help:"Members of each audience."`
	Viewers    []int         `default:"1,5,50" help:"Viewers of the turn."`
	Clients    int           `default:"8" help:"Requests under way at once."`
	Duration   time.Duration `default:"2s" help:"How long each point is measured."`
}

const description = `Measure what a decision costs, for every combination of candidates, audience and viewers. Seven in ten
candidates cover the viewers. "warm" asks one body again and again; "cold" asks each body once, with names
that never came before. Run it from the root of the module:

  go run ./policytest/bench --quick
  go run ./policytest/bench --opa opa --json >figures.json`

func main() {
	var f flags
	kong.Parse(&f, kong.Name("bench"), kong.Description(description))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, &f, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run measures all points and prints them to w.
func run(ctx context.Context, f *flags, w io.Writer) (err error) {
	if f.Quick {
		f.Candidates, f.Audience, f.Viewers, f.Duration = []int{10}, []int{20}, []int{5}, time.Second/2
	}
	dir, err := os.MkdirTemp("", "earshot-bench-")
	if err != nil {
		return err
	}
	defer func() {
		if removed := os.RemoveAll(dir); err == nil {
			err = removed
		}
	}()
	servers, err := startAll(ctx, f, dir)
	defer func() {
		for _, s := range servers {
			s.stop()
		}
	}()
	if err != nil {
		return err
	}
	out := newPrinter(w, f.JSON)
	for _, n := range f.Candidates {
		for _, a := range f.Audience {
			for _, v := range f.Viewers {
				if err := measurePoint(ctx, f, point{Candidates: n, Audience: a, Viewers: v}, servers, dir, out); err != nil {
					return err
				}
			}
		}
	}
	return out.flush()
}

// measurePoint measures every system at one point.
func measurePoint(ctx context.Context, f *flags, p point, servers []*server, dir string, out *printer) error {
	if p.tooLarge() {
		return nil // No server of ours would take the body.
	}
	for _, s := range servers {
		for _, state := range []string{"warm", "cold"} {
			got, err := s.measure(ctx, f, p, state)
			if err != nil {
				return fmt.Errorf("%s at %+v: %w", s.name, p, err)
			}
			if err := out.print(got); err != nil {
				return err
			}
		}
	}
	inProcess, err := measureInProcess(p, f.Duration, dir)
	if err != nil {
		return err
	}
	for _, got := range inProcess {
		if err := out.print(got); err != nil {
			return err
		}
	}
	return nil
}

// figures are what was measured of one system at one point.
type figures struct {
	System string `json:"system"`
	point
	State     string  `json:"state"`
	Requests  int     `json:"requests"`
	PerSecond float64 `json:"per_second"`
	CPU       float64 `json:"cpu_us"` // of the server process, microseconds a request
	P50       float64 `json:"p50_us"` // microseconds
	P99       float64 `json:"p99_us"`
	RSS       int64   `json:"rss_kib,omitzero"`
}

// printer prints figures as they come.
type printer struct {
	w     io.Writer
	json  *json.Encoder
	begun bool
}

func newPrinter(w io.Writer, asJSON bool) *printer {
	p := &printer{w: w}
	if asJSON {
		p.json = json.NewEncoder(w)
	}
	return p
}

const row = "%-26s %6v %6v %4v %-5s %9v %10s %10s %10s %10s %9s\n"

func (p *printer) print(f figures) error {
	if p.json != nil {
		return p.json.Encode(f)
	}
	if !p.begun {
		p.begun = true
		if _, err := fmt.Fprintf(p.w, row, "system", "N", "A", "V", "state", "requests", "req/s", "cpu us", "p50 us", "p99 us", "rss MiB"); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(p.w, row, f.System, f.Candidates, f.Audience, f.Viewers, f.State, f.Requests,
		fmt.Sprintf("%.0f", f.PerSecond), fmt.Sprintf("%.1f", f.CPU), fmt.Sprintf("%.1f", f.P50), fmt.Sprintf("%.1f", f.P99),
		fmt.Sprintf("%.0f", float64(f.RSS)/1024))
	return err
}

func (p *printer) flush() error {
	if p.json != nil {
		return nil
	}
	_, err := fmt.Fprintln(p.w, "\nN candidates, A members of an audience, V viewers. cpu is of the server process, a request.\n"+
		"In-process rows have neither HTTP nor a log: floor decodes as the service does and compares by hand;\n"+
		"ordinary Go uses encoding/json and maps; append writes one line of the answer's size and calls fdatasync.")
	return err
}
