package policytest

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"sync"

	"earshot/policy"
)

// settingsFile is where a bundle has the settings that authors may change.
const settingsFile = "earshot/settings/data.json"

// Policy is a bundle under test. It compiles once for each set of settings that the cases ask for,
// and is safe for concurrent use.
type Policy struct {
	fsys fs.FS

	mu      sync.Mutex
	engines map[string]*policy.Engine // by the settings as JSON; guarded by mu
}

// NewPolicy returns the bundle in fsys as a Policy. Nothing is read or compiled yet.
func NewPolicy(fsys fs.FS) *Policy {
	return &Policy{fsys: fsys, engines: map[string]*policy.Engine{}}
}

// Engine returns the engine of the bundle with the given settings in place of its own. The error
// matches policy.ErrBundle where the bundle is refused.
func (p *Policy) Engine(ctx context.Context, settings map[string]any) (*policy.Engine, error) {
	key, err := json.Marshal(settings)
	if err != nil {
		return nil, fmt.Errorf("write the settings: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if engine, ok := p.engines[string(key)]; ok {
		return engine, nil
	}
	fsys := p.fsys
	if len(settings) > 0 {
		if fsys, err = withSettings(fsys, settings); err != nil {
			return nil, err
		}
	}
	bundle, err := policy.BundleFromFS(fsys)
	if err != nil {
		return nil, err
	}
	engine, err := policy.NewEngine(ctx, bundle)
	if err != nil {
		return nil, err
	}
	p.engines[string(key)] = engine
	return engine, nil
}

// Check is Check with the engine that c asks for. Where the settings of c are what the policy cannot
// be with, the error is a *CaseError.
func (p *Policy) Check(ctx context.Context, c *Case) (diff string, err error) {
	engine, err := p.Engine(ctx, c.Settings)
	if err != nil && len(c.Settings) > 0 && ctx.Err() == nil {
		return "", c.fault(err, fmt.Sprintf("settings: %v", err), "settings")
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", c.Name, err)
	}
	return Check(ctx, engine, c)
}

// withSettings returns a copy of a bundle in which settings replace those of the same name.
func withSettings(fsys fs.FS, settings map[string]any) (fs.FS, error) {
	text, err := fs.ReadFile(fsys, settingsFile)
	if err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	merged := map[string]any{}
	if err := json.Unmarshal(text, &merged); err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	maps.Copy(merged, settings)
	if text, err = json.Marshal(merged); err != nil {
		return nil, fmt.Errorf("write the settings: %w", err)
	}
	return Replace(fsys, map[string][]byte{settingsFile: text})
}

// Replace returns a copy of fsys in which the named files have other content. Nil content leaves
// the file out. It fails for a file that fsys does not have.
func Replace(fsys fs.FS, files map[string][]byte) (fs.FS, error) {
	missing := maps.Clone(files)
	var archive bytes.Buffer // A file system in memory; the one for tests has no place in a program.
	out := zip.NewWriter(&archive)
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, replaced := files[name]
		delete(missing, name)
		switch {
		case replaced && text == nil:
			return nil
		case !replaced:
			if text, err = fs.ReadFile(fsys, name); err != nil {
				return err
			}
		}
		w, err := out.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("copy the bundle: %w", err)
	}
	for name := range missing {
		return nil, fmt.Errorf("replace %s: %w", name, fs.ErrNotExist)
	}
	if err := out.Close(); err != nil {
		return nil, fmt.Errorf("copy the bundle: %w", err)
	}
	return zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
}
