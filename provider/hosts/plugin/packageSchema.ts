import type { ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { environmentVariable, type SettingName, settingsSchema } from "../../api/settingsSchema";
import type { Description, Descriptions } from "../../descriptions";
import {
  nodePackage,
  packageName,
  pluginDownloadURL,
  resultMember,
  tokenPrefix,
  typeToken,
} from "../../engine/names";
import type { FunctionDefinition } from "../../functions/definition";
import { secretsOf } from "../../lifecycle/definition";
import type { Resource } from "../../lifecycle/resource";
import { scopeNames } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { pick } from "../../values/data";
import { annotationsOf, schemaAt } from "../../values/schema";
import { packageVersion } from "../../values/version";
import { capitalized, type ObjectSpec, type PropertySpec, SchemaTypes } from "./schemaTypes";

/** A component: a resource that the plugin builds from other resources, for programs in every language. */
export interface Component extends Pick<Resource, "inputs" | "outputs"> {
  construct(request: ConstructRequest, session: Session): Promise<ConstructResponse>;
}

export interface Package {
  readonly resources: { readonly [type: string]: Resource };
  readonly components: { readonly [type: string]: Component };
  readonly functions: { readonly [name: string]: FunctionDefinition };
}

const repository = "https://github.com/pipestack/pipestack";
const description =
  "Services, API keys, queries, dashboards and alerts of ClickHouse Cloud and of self-hosted HyperDX / ClickStack, with drift that can be trusted";
const readme = `${description}: an SDK of [pipestack](${repository}), a provider for [Pulumi](https://www.pulumi.com). The
[first program](${repository}/blob/main/docs/_index.md#example-usage), and [all pages](${repository}/blob/main/docs/README.md).
`;

/** Makes the package schema, from which Pulumi generates SDKs, documentation and imports. */
export function packageSchema({ resources, components, functions }: Package, docs: Descriptions): object {
  const reserved = new Set([
    ...Object.keys({ ...resources, ...components }),
    ...Object.keys(functions).map(capitalized),
  ]);
  const types = new SchemaTypes({ tokenPrefix, reserved });
  const resourceSpecs = Object.entries(resources).map(
    ([type, resource]) => [tokenPrefix + type, resourceSpec(resource, types, docs)] as const,
  );
  const componentSpecs = Object.entries(components).map(
    ([type, component]) => [tokenPrefix + type, componentSpec(type, component, types, docs)] as const,
  );
  const functionSpecs = Object.entries(functions).map(
    ([name, definition]) => [tokenPrefix + name, functionSpec(definition, types, docs)] as const,
  );
  const settings = types.object(settingsSchema, "Provider", {
    docs: docs.settings,
    as: "properties",
  }).properties;
  return {
    name: packageName,
    displayName: "pipestack",
    version: packageVersion(),
    description,
    keywords: [
      ...["pulumi", "pipestack", "category/database", "kind/native"],
      ...["data warehouse", "clickhouse", "hyperdx", "observability", "dashboards", "alerts"],
    ],
    homepage: repository,
    repository,
    logoUrl: "https://raw.githubusercontent.com/pipestack/pipestack/main/docs/logo.svg",
    license: "Apache-2.0",
    publisher: "pipestack",
    pluginDownloadURL,
    // With `supportPack`, the generator writes the SDK for Go as a Go module of its own.
    meta: { supportPack: true },
    config: { variables: mapped(settings, fromEnvironment) },
    // The package schema has no defaults from environment variables: SDKs would write them into the state of the provider,
    // where an old credential would outlive a rotation.
    provider: { type: "object", inputProperties: settings },
    types: sorted(types.types),
    resources: Object.fromEntries([...resourceSpecs, ...componentSpecs]),
    functions: Object.fromEntries(functionSpecs),
    language: {
      nodejs: { packageName: nodePackage, readme },
      python: { packageName: "pulumi_pipestack", pyproject: { enabled: true }, readme },
      go: {
        importBasePath: "github.com/pipestack/pipestack/sdk/go/pipestack",
        respectSchemaVersion: true,
        generateResourceContainerTypes: true,
      },
    },
  };
}

function resourceSpec(resource: Resource, types: SchemaTypes, docs: Descriptions): object {
  const { type, scope, namedBy } = resource;
  const secrets = secretsOf(resource);
  const described = descriptionsOf(type, docs);
  const inputs = types.object(resource.inputs, type, { docs: described.inputs, as: "properties" });
  const outputs = types.object(resource.outputs, type, { docs: described.outputs, as: "properties" });
  const withSecrets = (properties: ObjectSpec["properties"]) =>
    mapped(properties, (name, spec) => (secrets.includes(name) ? { ...spec, secret: true } : spec));
  const declarable = mapped(inputs.properties, (name, { type: only, ...spec }) => {
    const { replaces, fromFile } = annotationsOf(schemaAt(resource.inputs, name));
    return {
      ...(fromFile
        ? { oneOf: [{ type: "string" }, { $ref: "pulumi.json#/Asset" }] }
        : only && { type: only }),
      ...spec,
      ...(replaces ? { willReplaceOnChanges: true } : {}),
    };
  });
  // Organization and service are optional in the schema: the check fills them in, and some objects have neither.
  const filledIn = [...(namedBy ? [namedBy] : []), ...(scope === "observability" ? [] : scopeNames(scope))];
  const required = [...(inputs.required ?? []), ...(outputs.required ?? []), ...filledIn];
  return {
    description: descriptionOf(described, type),
    inputProperties: withSecrets(declarable),
    requiredInputs: inputs.required ?? [],
    properties: withSecrets({ ...inputs.properties, ...outputs.properties }),
    required: [...new Set(required)],
    listInputs: { properties: pick(inputs.properties, scopeNames(scope)) },
    aliases: [{ type: typeToken(type) }],
  };
}

function componentSpec(
  type: string,
  { inputs, outputs }: Component,
  types: SchemaTypes,
  docs: Descriptions,
): object {
  const described = descriptionsOf(type, docs);
  const inputTypes = types.object(inputs, type, { docs: described.inputs, as: "properties" });
  const outputTypes = types.object(outputs, type, { docs: described.outputs, as: "properties" });
  return {
    isComponent: true,
    description: descriptionOf(described, type),
    inputProperties: inputTypes.properties,
    requiredInputs: inputTypes.required ?? [],
    properties: outputTypes.properties,
    required: outputTypes.required ?? [],
  };
}

const remedy = "npm run build takes it from the docstring, once hosts/dynamic/ has the class or function";

function descriptionsOf(type: string, docs: Descriptions): Descriptions["resources"][string] {
  const described = docs.resources[type];
  if (!described)
    throw new Error(`the resource type ${type} has no description for the package schema: ${remedy}`);
  return described;
}

function functionSpec(definition: FunctionDefinition, types: SchemaTypes, docs: Descriptions): object {
  const { name } = definition;
  const described = docs.functions[name];
  if (!described)
    throw new Error(`the function ${name} has no description for the package schema: ${remedy}`);
  const owner = capitalized(name);
  const member = resultMember(definition);
  const result =
    member === undefined
      ? types.object(definition.result, owner, { docs: described.result, as: "answer" })
      : types.object(
          { type: "object", properties: { [member]: definition.result }, required: [member] } as never,
          owner,
          {
            docs: {
              [member]: { description: "All results." },
              ...Object.fromEntries(
                Object.entries(described.result).map(([path, entry]) => [`${member}.${path}`, entry]),
              ),
            },
            as: "answer",
          },
        );
  return {
    description: descriptionOf(described, name),
    inputs: types.object(definition.arguments, owner, { docs: described.arguments, as: "arguments" }),
    outputs: result,
  };
}

function fromEnvironment(setting: string, spec: PropertySpec): PropertySpec {
  return { ...spec, defaultInfo: { environment: [environmentVariable(setting as SettingName)] } };
}

/** A description in Markdown with examples in all languages, marked so that each generator finds those of its language. */
function descriptionOf({ description }: Description, name: string): string {
  const programs = Object.entries(readExamples()[name] ?? {});
  const blocks = programs.map(([language, program]) => `\`\`\`${language}\n${program}\`\`\``);
  return [
    description,
    "## Example Usage",
    ["<!--Start PulumiCodeChooser -->", ...blocks, "<!--End PulumiCodeChooser -->"].join("\n"),
  ].join("\n\n");
}

/** Example programs in all languages, read only when the engine asks for the schema, which few plugin processes serve. */
function readExamples(): { readonly [name: string]: { readonly [language: string]: string } } {
  return require("./examples.json") as typeof import("./examples.json");
}

function sorted<Value>(byToken: { readonly [token: string]: Value }): { readonly [token: string]: Value } {
  return Object.fromEntries(Object.entries(byToken).sort(([a], [b]) => a.localeCompare(b)));
}

function mapped(
  properties: ObjectSpec["properties"],
  change: (name: string, spec: PropertySpec) => PropertySpec,
): ObjectSpec["properties"] {
  return Object.fromEntries(Object.entries(properties).map(([name, spec]) => [name, change(name, spec)]));
}
