package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "the Pulumi SDK generator"

func writeSDKs(spec schema.PackageSpec, folder string) error {
	for _, language := range []string{"nodejs", "python", "go"} {
		pkg, err := bind(spec)
		if err != nil {
			return err
		}
		files, err := sdkFiles(language, pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		for name, content := range files {
			path := filepath.Join(folder, language, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, content, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func sdkFiles(language string, pkg *schema.Package) (map[string][]byte, error) {
	switch language {
	case "nodejs":
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, loader{})
	case "python":
		files, err := python.GeneratePackage(tool, pkg, nil, loader{})
		if err == nil {
			// Its pyproject.toml looks for it there.
			files["README.md"] = files["pulumi_pipestack/README.md"]
			names := propertyNames(pkg)
			for name, content := range files {
				files[name] = withPythonNames(content, names)
			}
		}
		return files, err
	default:
		return gogen.GeneratePackage(tool, pkg, nil)
	}
}

var (
	codeInText = regexp.MustCompile("`[^`\n]+`")
	identifier = regexp.MustCompile(`\w+`)
)

// The generator gives properties names with underscores, and leaves those in descriptions as the package schema has them.
func withPythonNames(content []byte, names map[string]bool) []byte {
	return codeInText.ReplaceAllFunc(content, func(code []byte) []byte {
		return identifier.ReplaceAllFunc(code, func(name []byte) []byte {
			if names[string(name)] {
				return []byte(python.PyName(string(name)))
			}
			return name
		})
	})
}

func propertyNames(pkg *schema.Package) map[string]bool {
	names := map[string]bool{}
	add := func(properties []*schema.Property) {
		for _, property := range properties {
			names[property.Name] = true
		}
	}
	for _, resource := range append(pkg.Resources, pkg.Provider) {
		add(resource.InputProperties)
		add(resource.Properties)
	}
	for _, function := range pkg.Functions {
		if answer, ok := function.ReturnType.(*schema.ObjectType); ok {
			add(answer.Properties)
		}
	}
	for _, kind := range pkg.Types {
		if object, ok := kind.(*schema.ObjectType); ok {
			add(object.Properties)
		}
	}
	return names
}
