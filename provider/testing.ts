/**
 * For unit tests of programs: mocks for `pulumi.runtime.setMocks` that answer as the provider would.
 *
 * @packageDocumentation
 */
import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import type { Operation } from "./api/operation";
import { operations } from "./api/operations";
import { declarableOfToken, tokenPrefix, typeOfToken } from "./engine/names";
import { type Definition, isSingleton, secretsOf } from "./lifecycle/definition";
import type { Resource } from "./lifecycle/resource";
import { declarable, resources, type TypeName } from "./resources/registry";
import { keysOf, type NamedTile } from "./resources/tiles/tiles";

type Mocks = pulumi.runtime.Mocks;
type Data = { readonly [name: string]: unknown };

/** Answers of a unit test's own mocks, which take precedence over those of {@link mocks}. */
export interface OwnMocks {
  /**
   * The id and the outputs of a resource. {@link mocks} adds missing outputs, or makes both id and outputs if the result is
   * undefined.
   */
  newResource?(args: pulumi.runtime.MockResourceArgs): { id?: string; state?: object } | undefined;
  /** The answer of a provider function. If it is undefined, {@link mocks} answers. */
  call?(args: pulumi.runtime.MockCallArgs): object | undefined;
}

/**
 * Mocks of this package's resources and functions, for the dynamic provider and the SDKs of the plugin. No request is sent, and
 * the same program gets the same answers every time.
 *
 * Each resource gets an id in the form of its type, and its inputs as outputs. A dashboard has `tileIds` by the names of its
 * tiles, a set resource has `ids` by its keys, an API key `keyId` and `keySecret`, a service its `endpoints` and
 * `generatedPassword`. The data source of a service level objective has a table. A function that finds an object by name
 * answers an id and that name; any other function fails until the test answers it. Resources of other packages get an id and
 * their inputs.
 *
 * @param custom the test's own mocks, which take precedence
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
      // Pulumi's SDK shows the user the `details` of an error and not its message, so the error has the text in both.
      throw Object.assign(new Error(details), { details });
    },
  };
}

/** A data source as `getSources` answers it, for the table of a service level objective. */
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
  // The API names these objects, and gives them no id.
  const { create } = resources[type].operations;
  const { idIs, path }: Operation = operations[create];
  if (idIs !== undefined) return String(inputs[idIs]);
  return /\/(stack|clickstack|api\/v2)\//.test(path) ? objectId(type, name) : uuid(type, name);
}

/** The inputs of a mocked resource, in the form in which the provider's check returns them. */
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
  // If the program sends hashes of an API key's secret, the service never knows the secret, so the mock has none.
  if (type !== "ApiKey" || inputs.hashData) return {};
  return { keyId: digest("keyId", name).slice(0, 20), keySecret: digest("keySecret", name).slice(0, 40) };
}

/** Marks the secret outputs of a mocked resource, since the mocks of Pulumi's SDK only know secrets of the program. */
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
