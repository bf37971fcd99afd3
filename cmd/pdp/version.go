package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set by the linker (-X main.version=…); empty means that the build knows better.
var version string

type versionCmd struct {
	policyFlag
}

// Run prints one line for each thing that has a version.
func (c *versionCmd) Run(p *process) error {
	folder := policyFolder(c.Policy)
	bundle, err := folder.bundle()
	if err != nil {
		return err
	}
	info := buildInfo()
	_, err = fmt.Fprintf(p.stdout, "pdp    %s\ngo     %s\nopa    %s\npolicy %s (%s)\n",
		versionOf(info), info.GoVersion, moduleVersion(info, "github.com/open-policy-agent/opa"), bundle.Revision(), folder.origin())
	return err
}

// buildInfo returns what the compiler left in the program, never nil.
func buildInfo() *debug.BuildInfo {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info
	}
	return &debug.BuildInfo{GoVersion: runtime.Version()}
}

// versionOf returns the version of the program: the linker's, else that of the module or commit.
func versionOf(info *debug.BuildInfo) string {
	if version != "" {
		return version
	}
	if v := info.Main.Version; v != "" {
		return v
	}
	return "(devel)"
}

// moduleVersion returns the version of a module that the program was built from.
func moduleVersion(info *debug.BuildInfo, path string) string {
	for _, module := range info.Deps {
		if module.Path == path {
			return module.Version
		}
	}
	return "unknown"
}
