package main

import (
	"bytes"
	"fmt"
	"sort"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/zclconf/go-cty/cty"
	"gopkg.in/yaml.v3"
)

// generateYAML writes a program in YAML. The generator of Pulumi's host for YAML is not published as a module of its CLI;
// this one knows what the examples need, and fails at everything else.
func generateYAML(program *pcl.Program, source []byte) (string, error) {
	writer := yamlWriter{source}
	sections := map[string]*yaml.Node{}
	add := func(section, name string, value *yaml.Node) {
		if sections[section] == nil {
			sections[section] = &yaml.Node{Kind: yaml.MappingNode}
		}
		put(sections[section], name, value)
	}
	for _, node := range program.Nodes {
		var err error
		switch definition := node.SyntaxNode().(type) {
		case *hclsyntax.Attribute:
			var value *yaml.Node
			if value, err = writer.value(definition.Expr); err == nil {
				add("variables", definition.Name, value)
			}
		case *hclsyntax.Block:
			err = writer.block(definition, add)
		default:
			err = fmt.Errorf("there is no YAML for %T", definition)
		}
		if err != nil {
			return "", err
		}
	}
	document := &yaml.Node{Kind: yaml.MappingNode}
	for _, section := range []string{"config", "variables", "resources", "outputs"} {
		if sections[section] != nil {
			put(document, section, sections[section])
		}
	}
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	err := encoder.Encode(document)
	return text.String(), err
}

type yamlWriter struct{ source []byte }

func (w yamlWriter) block(block *hclsyntax.Block, add func(section, name string, value *yaml.Node)) error {
	members := &yaml.Node{Kind: yaml.MappingNode}
	resource := &yaml.Node{Kind: yaml.MappingNode}
	if block.Type == "resource" {
		put(resource, "type", scalar("!!str", block.Labels[1]))
	}
	for _, attribute := range inOrder(block.Body.Attributes) {
		value, err := w.value(attribute.Expr)
		if err != nil {
			return err
		}
		if attribute.Name == "__logicalName" {
			put(resource, "name", value)
		} else {
			put(members, attribute.Name, value)
		}
	}
	name := block.Labels[0]
	switch block.Type {
	case "resource":
		put(resource, "properties", members)
		add("resources", name, resource)
	case "output":
		add("outputs", name, members.Content[1])
	case "config":
		put(resource, "type", scalar("!!str", block.Labels[1]))
		resource.Content = append(resource.Content, members.Content...)
		add("config", name, resource)
	default:
		return fmt.Errorf("there is no YAML for a block %s", block.Type)
	}
	return nil
}

func (w yamlWriter) value(expression hclsyntax.Expression) (*yaml.Node, error) {
	switch expression := expression.(type) {
	case *hclsyntax.LiteralValueExpr:
		if expression.Val.Type() == cty.String {
			return scalar("!!str", expression.Val.AsString()), nil
		}
		return scalar("", w.text(expression)), nil
	case *hclsyntax.TemplateExpr:
		if len(expression.Parts) == 0 {
			return scalar("!!str", ""), nil
		}
		if len(expression.Parts) == 1 {
			return w.value(expression.Parts[0])
		}
	case *hclsyntax.ScopeTraversalExpr:
		return scalar("!!str", "${"+w.text(expression)+"}"), nil
	case *hclsyntax.TupleConsExpr:
		list := &yaml.Node{Kind: yaml.SequenceNode}
		for _, entry := range expression.Exprs {
			value, err := w.value(entry)
			if err != nil {
				return nil, err
			}
			list.Content = append(list.Content, value)
		}
		return list, nil
	case *hclsyntax.ObjectConsExpr:
		object := &yaml.Node{Kind: yaml.MappingNode}
		for _, item := range expression.Items {
			value, err := w.value(item.ValueExpr)
			if err != nil {
				return nil, err
			}
			put(object, w.text(item.KeyExpr), value)
		}
		return object, nil
	case *hclsyntax.FunctionCallExpr:
		if expression.Name == "invoke" && len(expression.Args) == 2 {
			return w.invoke(expression)
		}
		if expression.Name == "fileAsset" && len(expression.Args) == 1 {
			path, err := w.value(expression.Args[0])
			if err != nil {
				return nil, err
			}
			asset := &yaml.Node{Kind: yaml.MappingNode}
			put(asset, "fn::fileAsset", path)
			return asset, nil
		}
	}
	return nil, fmt.Errorf("there is no YAML for %s", w.text(expression))
}

func (w yamlWriter) invoke(call *hclsyntax.FunctionCallExpr) (*yaml.Node, error) {
	token, err := w.value(call.Args[0])
	if err != nil {
		return nil, err
	}
	arguments, err := w.value(call.Args[1])
	if err != nil {
		return nil, err
	}
	invoke := &yaml.Node{Kind: yaml.MappingNode}
	put(invoke, "function", token)
	if len(arguments.Content) > 0 {
		put(invoke, "arguments", arguments)
	}
	value := &yaml.Node{Kind: yaml.MappingNode}
	put(value, "fn::invoke", invoke)
	return value, nil
}

func (w yamlWriter) text(expression hclsyntax.Expression) string {
	return string(expression.Range().SliceBytes(w.source))
}

func put(object *yaml.Node, name string, value *yaml.Node) {
	object.Content = append(object.Content, scalar("!!str", name), value)
}

func scalar(tag, text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text}
}

func inOrder(attributes hclsyntax.Attributes) []*hclsyntax.Attribute {
	list := make([]*hclsyntax.Attribute, 0, len(attributes))
	for _, attribute := range attributes {
		list = append(list, attribute)
	}
	sort.Slice(list, func(one, other int) bool {
		return list[one].SrcRange.Start.Byte < list[other].SrcRange.Start.Byte
	})
	return list
}
