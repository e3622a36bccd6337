import { resolved, type Schema, type TableName } from "../../../product/read";
import { answerFrom, dialects } from "../../../provider/api/dialect";

/** The schemas of answers that code of the provider reads, with the provider's names of their types. */
const typeNames: { readonly [schema: string]: string } = {
  Activity: "Activity",
  ApiKey: "ApiKey",
  ClickPipe: "Pipe",
  ClickPipesCdcScaling: "PipeCdcScaling",
  ClickStackAlertResponse: "Alert",
  ClickStackDashboardResponse: "Dashboard",
  ClickStackSavedSearch: "SavedSearch",
  InstancePrivateEndpoint: "PrivateEndpoint",
  Invitation: "Invitation",
  Member: "Member",
  RBACRole: "Role",
  ReversePrivateEndpoint: "ReversePrivateEndpoint",
  Service: "Service",
  ServiceClickhouseSettingsList: "ServiceSettings",
  ServiceClickhouseSettingsSchema: "ServiceSettingsSchema",
  Whoami: "Whoami",
};

/** The types of JSON values that are neither lists nor objects. A member of an answer may always be null. */
const scalars: { readonly [type: string]: string } = {
  boolean: "boolean",
  integer: "number",
  number: "number",
  string: "string",
};

type Properties = NonNullable<Schema["properties"]>;

/** A schema and all of its alternatives and parts. */
function formsOf(schema: Schema): readonly Schema[] {
  const { anyOf = [], oneOf = [], allOf = [] } = schema;
  return [schema, ...[...anyOf, ...oneOf, ...allOf].flatMap(formsOf)];
}

/** The properties of an object in any of its forms. */
function propertiesOf(forms: readonly Schema[]): Properties {
  const names = new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)));
  const formsOfMember = (name: string) =>
    forms.flatMap(({ properties }) => (properties?.[name] ? [properties[name]] : []));
  return Object.fromEntries([...names].map((name) => [name, { anyOf: formsOfMember(name) }]));
}

/** The properties with the names that they have once the client has translated an answer. */
const translated = (properties: Properties) =>
  answerFrom(dialects.clickhouse, properties) as typeof properties;

/** The type of an object's members; undefined if there are none, or if an inner object has other objects inside. */
function membersOf(properties: Properties, isInside: boolean, isTranslated: boolean): string | undefined {
  const members = Object.entries(isTranslated ? translated(properties) : properties).map(
    ([name, schema]) => `${name}: ${typeOf(schema, true, !isInside && name === "settings")}`,
  );
  if (members.length === 0 || (isInside && members.some((member) => /PropertyMap|Shown/.test(member))))
    return undefined;
  return `Shown<{ ${members.join("; ")} }>`;
}

/** The TypeScript type of the values that a schema allows. */
function typeOf(schema: Schema, isInside: boolean, isTranslated: boolean): string {
  const forms = formsOf(schema);
  const types = new Set(forms.flatMap(({ type = [] }): readonly string[] => [type].flat()));
  const items = forms.flatMap((form) => (form.items ? [form.items] : []));
  const properties = propertiesOf(forms);
  const isObject = types.has("object") || Object.keys(properties).length > 0;
  const element = types.has("array") ? typeOf({ anyOf: items }, isInside, isTranslated) : undefined;
  const all = [
    ...[...types].flatMap((type) => scalars[type] ?? []),
    ...(element === undefined ? [] : [/^[^<]+ \| /.test(element) ? `(${element})[]` : `${element}[]`]),
    ...(isObject ? [membersOf(properties, isInside, isTranslated) ?? "PropertyMap"] : []),
  ];
  return all.length === 0 ? "unknown" : [...new Set(all)].join(" | ");
}

/** The name of the schema of an answer's object, or of the objects in its list. */
const nameIn = ({ $ref, items }: Schema = {}) => ($ref ?? items?.$ref)?.replace("#/schemas/", "");

/**
 * Makes the text of the generated module with the types of answers.
 *
 * @param results the schema of the content of each operation's answer, as the table of ClickHouse Cloud has it
 */
export function answersModule(results: ReadonlyMap<string, Schema | undefined>): string {
  const table: TableName = "cloud";
  const operations = [...results].flatMap(([operation, result]) => {
    const name = typeNames[nameIn(result) ?? ""];
    return name === undefined ? [] : [`  ${operation}: ${name};`];
  });
  const types = Object.entries(typeNames).map(([schema, name]) => {
    const text = typeOf(resolved({ $ref: `#/schemas/${schema}` }, table), false, true);
    return `export type ${name} = ${text};`;
  });
  return [
    "// Made of product/cloud.json by `npm run golden`; test/unit/product/answerTypes.ts has the names.",
    "",
    'import type { PropertyMap } from "../values/data";',
    "",
    "/**",
    " * Members of an object in an answer, each of which a server may leave out or show as null. Lists are not read-only, since",
    " * `Array.isArray` would make elements of read-only ones `any`.",
    " */",
    "type Shown<Members> = { readonly [Name in keyof Members]?: Members[Name] | null };",
    "",
    ...types.sort(),
    "",
    "/** The type of the object in an operation's answer, or of each object in its list. */",
    "export interface AnsweredObjects {",
    ...operations,
    "}",
    "",
  ].join("\n");
}
