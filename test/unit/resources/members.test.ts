import { expect } from "chai";
import type { Schema } from "../../../product/read";
import type { Operation } from "../../../provider/api/operation";
import { operations } from "../../../provider/api/operations";
import type { Resource } from "../../../provider/lifecycle/resource";
import { resources } from "../../../provider/resources/registry";
import { builtKinds, sqlKinds } from "../../../provider/resources/tiles/tileKinds";
import { annotationsOf, schemaAt } from "../../../provider/values/schema";
import type { TObject, TProperties, TSchema } from "../../../provider/values/schemaBuilders";
import { gapsIn, membersPage } from "../../../toolchain/members.mjs";
import { expectMade } from "../../golden";
import { type Api, documentedBody } from "../../productJudge";

/** Lists the paths of the properties of a resource's schema that requests contain. */
function sentProperties({ properties = {}, items }: TSchema, path = ""): string[] {
  if (items) return sentProperties(items as TSchema, path);
  return Object.entries(properties as TProperties).flatMap(([name, schema]) => {
    if (annotationsOf(schema).sent === "never") return [];
    const own = path === "" ? name : `${path}.${name}`;
    return [own, ...sentProperties(schema, own)];
  });
}

const documentedTypes = resources;

type DocumentedType = keyof typeof documentedTypes;

function documented(type: DocumentedType, api: Api): Set<string> {
  const { operations: own, calls = [] }: Resource = documentedTypes[type];
  const names = [own.create, own.update, ...calls];
  const served = names.filter((name) => {
    const operation: Operation = operations[name];
    return operation.api === api || operation.otherPath !== undefined;
  });
  const members = served.flatMap((name) => membersOf(documentedBody(api, name) ?? {}));
  return new Set(members.filter((member) => (parts[type] ?? /./).test(member)));
}

/** Whether a member is inside a map, whose names programs declare freely. */
function isInMap(inputs: TSchema, member: string): boolean {
  let schema = inputs;
  return member.split(".").some((name) => {
    if (schema.patternProperties) return true;
    schema = schemaAt(schema.items ? schemaAt(schema, 0) : schema, name);
    return false;
  });
}

/** The members that a type declares of an object of another type. A request repeats the others as the service shows them. */
const parts: { readonly [type in DocumentedType]?: RegExp } = { SourceLinks: /^(id|\w+SourceId)$/ };

function membersOf(
  { properties = {}, items, allOf = [], anyOf = [], oneOf = [] }: Schema,
  path = "",
): string[] {
  return [
    ...[...allOf, ...anyOf, ...oneOf, ...(items ? [items] : [])].flatMap((part) => membersOf(part, path)),
    ...Object.entries(properties).flatMap(([name, member]) => {
      const own = path === "" ? name : `${path}.${name}`;
      return [own, ...membersOf(member, own)];
    }),
  ];
}

/** Properties that programs can declare although no documented request body of the resource type has them. */
const further: { readonly [type in DocumentedType]?: readonly string[] } = {
  // A program declares the actor of a role as `apiKeyId` or as `userId`, while a request has one list of actors of both kinds.
  RoleAssignment: ["apiKeyId", "userId"],
  // The id of the other service is in the path of the request.
  PostgresService: ["readReplicaOf", "restoreOf"],
  // Programs can declare `dataSource` only in the dialect `neutral`: the documents of ClickHouse Cloud and HyperDX lack it.
  Dashboard: ["tiles.series.dataSource"],
  // The code is uploaded before, and the path of a request names the function and the service.
  Udf: ["sourceHash"],
  UdfAttachment: ["functionName"],
  // The document has values and regular expressions as the two forms of a condition.
  ClickStackRole: ["permissions.patterns"],
};

/** Returns the name of a property without its space, as programs declare it: some languages cannot write a space in a name. */
const spelled = (member: string) => member.replace("exponential h", "exponentialH");
const spelledIn = (type: DocumentedType, api: Api) =>
  new Set(
    [...documented(type, api)]
      .map(declaredNames[type] ?? spelled)
      .filter((member) => !isInMap(documentedTypes[type].inputs, member)),
  );

/**
 * Converts the names of properties in requests about pipes into those in programs: a program declares a property once for
 * several requests, and declares credentials outside of the source.
 */
const ofPipes: readonly (readonly [RegExp, string])[] = [
  [/\btableMappingsTo(Add|Remove)\b/, "tableMappings"],
  [/^(streaming|object_storage|kafka|clickhouse)_/, "settings.$&"],
  [/^(replica|concurrency)/, "scaling.$&"],
  [/\bclickhouse_/, "engine_"],
  [/^source\.kafka\.schemaRegistry\.credentials/, "schemaRegistryCredentials"],
  [/^source\.\w+\.(credentials|accessKey)(?=\.|$)/, "credentials"],
  [/^source\.\w+\.(serviceAccountKey|connectionString)/, "credentials.$1"],
  [/^credentials\.(serviceAccountKey\.)?serviceAccountFile$/, "credentials.serviceAccountKey"],
  [/^command$/, "state"],
];
const declaredOfPipes = (member: string) =>
  ofPipes.reduce((name, [pattern, instead]) => name.replace(pattern, instead), member);

/** A request has the rows that a ClickStack role may read under the name that the conditions of its other permissions have. */
const declaredOfRoles = (member: string) =>
  member
    .replace(/^(permissions\.)conditions\.from(\.|$)/, "$1rows$2")
    .replace(/^(permissions\.)conditions\.(?=connection|where)/, "$1rows.")
    .replace(/\bconnection$/, "connectionId");

const declaredNames: { readonly [type in DocumentedType]?: (member: string) => string } = {
  Pipe: declaredOfPipes,
  ClickStackRole: declaredOfRoles,
};

const facts = Object.fromEntries(
  (Object.keys(documentedTypes) as DocumentedType[]).map((type) => [
    type,
    {
      documented: {
        management: spelledIn(type, "management"),
        observability: spelledIn(type, "observability"),
      },
      declared: sentProperties(documentedTypes[type].inputs),
      further: further[type] ?? [],
    },
  ]),
);

describe("The properties of request bodies", () => {
  for (const [type, known] of Object.entries(facts))
    it(`the properties of ${type} are those of the product's documents but for noted exceptions`, () => {
      const none = { undeclared: [], undocumented: [], needlessNotes: [], needlessExcuses: [] };
      expect(gapsIn(type, known)).to.deep.equal(none);
    });

  it("docs/members.md equals the page that npm run golden writes", () => {
    const rows = kinds.map(([words, ...members]) => {
      const [displayType = "", configType = ""] = words.split(" ");
      return [displayType, configType, ...members] as const;
    });
    expectMade("docs/members.md", membersPage(facts, rows));
  });
});

const tags = ["displayType", "configType"];

const kinds = [...Object.values<TObject>(builtKinds), ...Object.values<TObject>(sqlKinds)].map((kind) => {
  const { displayType, configType, ...members } = kind.properties;
  const isRequired = (name: string) => kind.required?.includes(name);
  return [
    `${displayType?.const} ${configType?.const ?? ""}`,
    Object.keys(members).filter(isRequired),
    Object.keys(members).filter((name) => !isRequired(name)),
  ] as const;
});

/** Lists the properties of each kind of tile in one API's document, without the kinds that programs cannot declare. */
function kindsInProduct(api: Api): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const walk = (schema: Schema): void => {
    const { allOf = [], anyOf = [], oneOf = [] } = schema;
    for (const part of [...anyOf, ...oneOf]) walk(part);
    const properties = Object.assign({}, schema.properties, ...allOf.map((part) => part.properties ?? {}));
    const [displayType] = properties.displayType?.enum ?? [];
    if (displayType === undefined) for (const part of allOf) walk(part);
    else {
      const key = `${displayType} ${properties.configType?.enum?.[0] ?? ""}`;
      const names = Object.keys(properties).filter((name) => !tags.includes(name));
      found.set(key, new Set([...(found.get(key) ?? []), ...names]));
    }
  };
  const tiles = documentedBody(api, "createDashboard")?.properties?.tiles;
  const config = (schema: Schema | undefined): Schema | undefined =>
    schema?.properties?.config ?? schema?.allOf?.map(config).find(Boolean);
  walk(config(tiles?.items) ?? {});
  return found;
}

describe("The kinds of dashboard tiles", () => {
  it("each kind of tile has exactly the properties that the product accepts through either API", () => {
    const [cloud, server] = [kindsInProduct("management"), kindsInProduct("observability")];
    const declared = new Map<string, Set<string>>();
    for (const [kind, ...members] of kinds)
      declared.set(kind, new Set([...(declared.get(kind) ?? []), ...members.flat()]));
    for (const [kind, members] of declared) {
      const taken = new Set([...(cloud.get(kind) ?? []), ...(server.get(kind) ?? [])]);
      expect([kind, ...[...members].sort()]).to.deep.equal([kind, ...[...taken].sort()]);
    }
    const unknown = [...new Set([...cloud.keys(), ...server.keys()])].filter((kind) => !declared.has(kind));
    expect(unknown).to.deep.equal([]);
  });
});
