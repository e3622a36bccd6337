package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

var languages = []struct {
	name     string
	generate func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)
}{
	{"typescript", nodejs.GenerateProgram},
	{"python", python.GenerateProgram},
	{"go", gogen.GenerateProgram},
}

func printExamples(spec schema.PackageSpec, folder string) error {
	sources, err := filepath.Glob(filepath.Join(folder, "*.pp"))
	if err != nil {
		return err
	}
	examples := map[string]map[string]string{}
	for _, source := range sources {
		programs := map[string]string{}
		for _, language := range languages {
			program, _, err := bindProgram(spec, source)
			if err != nil {
				return err
			}
			files, diagnostics, err := language.generate(program)
			if err == nil && diagnostics.HasErrors() {
				err = diagnostics
			}
			if err != nil {
				return fmt.Errorf("%s in %s: %w", source, language.name, err)
			}
			for _, content := range files {
				programs[language.name] += string(content)
			}
		}
		programs["go"] = withLookups(programs["go"], spec)
		program, text, err := bindProgram(spec, source)
		if err != nil {
			return err
		}
		if programs["yaml"], err = generateYAML(program, text); err != nil {
			return fmt.Errorf("%s in yaml: %w", source, err)
		}
		examples[strings.TrimSuffix(filepath.Base(source), ".pp")] = programs
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(examples)
}

// withLookups calls functions as the SDK for Go does: where a resource has taken the name GetSource for its getter, the
// function is LookupSource. The generator of programs overlooks it in packages with a single module.
func withLookups(program string, spec schema.PackageSpec) string {
	for token := range spec.Resources {
		name := token[strings.LastIndex(token, ":")+1:]
		function := regexp.MustCompile(`\.Get` + name + `((?:Output)?(?:Args)?)\b`)
		program = function.ReplaceAllString(program, ".Lookup"+name+"$1")
	}
	return program
}

func bindProgram(spec schema.PackageSpec, path string) (*pcl.Program, []byte, error) {
	source, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer source.Close()
	parser := syntax.NewParser()
	if err := parser.ParseFile(source, filepath.Base(path)); err != nil {
		return nil, nil, err
	}
	if parser.Diagnostics.HasErrors() {
		return nil, nil, parser.Diagnostics
	}
	pkg, err := bind(spec)
	if err != nil {
		return nil, nil, err
	}
	program, diagnostics, err := pcl.BindProgram(parser.Files, loader{pkg}, pcl.PreferOutputVersionedInvokes)
	if err == nil && diagnostics.HasErrors() {
		err = diagnostics
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return program, parser.Files[0].Bytes, nil
}

// loader knows one package at most, and starts no plugin.
type loader struct{ pkg *schema.Package }

func (l loader) load(name string) (*schema.Package, error) {
	if l.pkg == nil || l.pkg.Name != name {
		return nil, fmt.Errorf("the package %s is not known", name)
	}
	return l.pkg, nil
}

func (l loader) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	return l.load(name)
}

func (l loader) LoadPackageV2(_ context.Context, descriptor *schema.PackageDescriptor) (*schema.Package, error) {
	return l.load(descriptor.PackageName())
}

func (l loader) LoadPackageReference(name string, _ *semver.Version) (schema.PackageReference, error) {
	pkg, err := l.load(name)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (l loader) LoadPackageReferenceV2(
	_ context.Context, descriptor *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return l.LoadPackageReference(descriptor.PackageName(), nil)
}
