// Command sdk-generator runs the generators of the Pulumi CLI on a package schema:
//
//	sdk-generator sdks <schema.json> <folder>
//	sdk-generator examples <schema.json> <folder>
//
// With sdks, the folder gets nodejs, python and go, each as `pulumi package gen-sdk` writes it. With examples, it prints
// the programs in the folder, written in Pulumi's own language (.pp), in all languages and in YAML, as JSON by their names.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) != 3 {
		return errors.New("usage: sdk-generator sdks|examples <schema.json> <folder>")
	}
	text, err := os.ReadFile(arguments[1])
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	switch arguments[0] {
	case "sdks":
		return writeSDKs(spec, arguments[2])
	case "examples":
		return printExamples(spec, arguments[2])
	default:
		return fmt.Errorf("there is no command %s", arguments[0])
	}
}

// Each generator replaces what a package says of its language, so each gets a package of its own.
func bind(spec schema.PackageSpec) (*schema.Package, error) {
	pkg, diagnostics, err := schema.BindSpec(spec, loader{}, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	return pkg, nil
}
