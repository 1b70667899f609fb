package scenario

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Language is the reference of the scenario language.
//
//go:embed LANGUAGE.txt
var Language string

//go:embed library/*.scenario
var files embed.FS

// Names lists the built-in scenarios in alphabetical order.
func Names() []string {
	entries, err := files.ReadDir("library")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".scenario"))
	}
	slices.Sort(names)
	return names
}

// Library reads a built-in scenario by its name.
func Library(name string) (*Scenario, error) {
	text, err := Text(name)
	if err != nil {
		return nil, err
	}
	s, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("built-in scenario %q: %w", name, err)
	}
	s.Name = name
	return s, nil
}

// Text is a built-in scenario as it is written.
func Text(name string) (string, error) {
	text, err := files.ReadFile(path.Join("library", name+".scenario"))
	if err != nil {
		return "", fmt.Errorf("there is no built-in scenario %q\nhint: the built-in ones are %s", name, strings.Join(Names(), ", "))
	}
	return string(text), nil
}
