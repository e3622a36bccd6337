/**
 * For unit tests of programs: mocks for `pulumi.runtime.setMocks` that answer as the provider would.
 *
 * @packageDocumentation
 */
import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { declarableOfToken, tokenPrefix, typeOfToken } from "./engine/names";
import { type Definition, isSingleton, type Resource, secretsOf } from "./lifecycle/resource";
import { keysOf, type NamedTile } from "./resources/dashboard/tiles";
import { declarable, resources, type TypeName } from "./resources/registry";

type Mocks = pulumi.runtime.Mocks;
type Data = { readonly [name: string]: unknown };

/** Answers of a test, which come before those of {@link mocks}. */
export interface OwnMocks {
  /** The id and the outputs of a resource. Missing members come from {@link mocks}; undefined means that both do. */
  newResource?(args: pulumi.runtime.MockResourceArgs): { id?: string; state?: object } | undefined;
  /** The answer of a function; undefined means that {@link mocks} answers. */
  call?(args: pulumi.runtime.MockCallArgs): object | undefined;
}

/**
 * Mocks of this package's resources and functions, for the dynamic provider and the SDKs of the plugin. Nothing is sent, and
 * the same program gets the same answers in every run.
 *
 * Each resource gets an id in the form of its type, and its inputs as outputs. A dashboard has `tileIds` by the names of its
 * tiles, a set `ids` by its keys, a key `keyId` and `keySecret`, a service its `endpoints` and
 * `generatedPassword`. The source of an objective has a table. A function that finds an
 * object by name answers an id and that name; any other function fails until the test answers it. Resources of other packages get an id and their inputs.
 *
 * @param custom answers of the test, which come first
 *
 * @example
 * ```typescript
 * pulumi.runtime.setMocks(mocks({ call: ({ token }) => (token === "pipestack:index:getPipes" ? { pipes: [] } : undefined) }));
 * ```
 */
export function mocks(custom: OwnMocks = {}): {
  newResource(args: pulumi.runtime.MockResourceArgs): { id: string; state: Data };
  call(args: pulumi.runtime.MockCallArgs): object;
} & Mocks {
  return {
    newResource(args) {
      const { id, state } = custom.newResource?.(args) ?? {};
      const outputs = { ...inputsOf(args), ...outputsOf(args), ...state };
      return { id: id ?? (args.id || idOf(args)), state: withSecrets(outputs, typeOfToken(args.type)) };
    },
    call(args) {
      const answer = custom.call?.(args);
      if (answer !== undefined) return answer;
      const { token, inputs } = args;
      if (!token.startsWith("pipestack:")) return inputs;
      if (token === `${tokenPrefix}getSources` && inputs.sourceId)
        return { sources: [sourceOf(inputs.sourceId)] };
      if (typeof inputs.name === "string") return { ...inputs, id: objectId(token, inputs.name) };
      const details = `${token.split(":")[2]} has no mock: answer it in mocks({ call })`;
      // Pulumi's SDK shows an error's `details`, not its message.
      throw Object.assign(new Error(details), { details });
    },
  };
}

/** The source of an objective. */
function sourceOf(id: string): Data {
  const from = { databaseName: "default", tableName: "events" };
  return { id, from, connection: objectId("Connection", id), timestampValueExpression: "Timestamp" };
}

function idOf({ type: token, name, inputs }: pulumi.runtime.MockResourceArgs): string {
  const type = typeOfToken(token);
  if (type === undefined) return `${name}-id`;
  const serviceId = inputs.serviceId ?? uuid("service");
  if (isSingleton(resources[type])) return serviceId;
  const named = resources[type].idIn?.({ ...inputs, serviceId });
  if (named !== undefined) return named;
  return resources[type].scope === "observability" ? objectId(type, name) : uuid(type, name);
}

/** The inputs in the form in which the check returns them. */
function inputsOf({ type: token, inputs }: pulumi.runtime.MockResourceArgs): Data {
  const type = typeOfToken(token);
  const { complete }: Definition = type === undefined ? ({} as Definition) : resources[type];
  return complete?.(inputs).inputs ?? inputs;
}

function outputsOf({ type: token, name, inputs }: pulumi.runtime.MockResourceArgs): Data {
  const set = declarableOfToken(token);
  const { entries }: Partial<Resource> = set ? declarable[set] : {};
  if (entries) {
    const ids = entries.declaredIn(inputs).map(({ key }) => [key, objectId(entries.of.type, name, key)]);
    return { ids: Object.fromEntries(ids) };
  }
  const type = typeOfToken(token);
  if (type === "Dashboard") {
    const keys = keysOf((inputs.tiles ?? []) as readonly NamedTile[]);
    return { tileIds: Object.fromEntries(keys.map((key) => [key, objectId(type, name, key)])) };
  }
  if (type === "Service") {
    const host = `${digest(name).slice(0, 10)}.${inputs.region}.${inputs.provider}.example.com`;
    return {
      endpoints: [{ protocol: "https", host, port: 8443, username: "default" }],
      ...(inputs.password === undefined && { generatedPassword: digest("password", name).slice(0, 40) }),
    };
  }
  // If the program sends hashes of a key's secret, the service never sees the secret.
  if (type !== "ApiKey" || inputs.hashData) return {};
  return { keyId: digest("keyId", name).slice(0, 20), keySecret: digest("keySecret", name).slice(0, 40) };
}

/** Marks secret outputs, since the SDK's mocks know no other secrets. */
function withSecrets(outputs: Data, type: TypeName | undefined): Data {
  const secrets = type === undefined ? [] : secretsOf(resources[type]);
  const marked = secrets.filter((name) => outputs[name] !== undefined);
  return { ...outputs, ...Object.fromEntries(marked.map((name) => [name, pulumi.secret(outputs[name])])) };
}

function digest(...names: string[]): string {
  return createHash("sha256").update(JSON.stringify(names)).digest("hex");
}

function objectId(...names: string[]): string {
  return digest(...names).slice(0, 24);
}

function uuid(...names: string[]): string {
  return digest(...names).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}
