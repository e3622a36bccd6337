import { expect } from "chai";
import { sourceIn } from "../../../provider/resources/pipe/kinds";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { schemaAt } from "../../../provider/values/schema";
import type { Pipe } from "../../../sandbox/index";
import { place, useService } from "../lifecycle/scriptedService";
import type { JsonObject } from "./example";
import { kafka, pipeExample, postgres } from "./pipe.example";

const { Pipe: resource } = resources;

export const kinds = Object.keys(schemaAt(resource.inputs, "source").properties ?? {});

export const programsOf = (kind: string): JsonObject[] =>
  Object.values(pipeExample.wholes)
    .filter((program) => sourceIn(program)?.kind === kind)
    .map((program) => ({ ...place, ...program }));

export const login = { username: "reader", password: "a password of the reader" };
export const id64 = { name: "id", type: "UInt64" };
export const destination = {
  ...{ database: "default", table: "orders", columns: [id64] },
  tableDefinition: { engine: { type: "MergeTree" } },
};

export const stream = {
  ...{ ...place, name: "orders", source: { kafka }, credentials: login, destination },
  fieldMappings: [{ sourceField: "id", destinationField: "id" }],
};

export const table = (name: string, further: object = {}) => ({
  ...{ sourceSchemaName: "public", sourceTable: name, targetTable: name },
  ...further,
});

export const replicaOf = (...tableMappings: object[]) => ({
  ...{ ...place, name: "replica", source: { postgres: { ...postgres, tableMappings } }, credentials: login },
  destination: { database: "default" },
});

/** The sandbox's model in the dialect clickhouse, and the steps of a pipe in it. */
export function usePipes() {
  const service = useService({ dialect: "clickhouse", stateMilliseconds: 20_000 });
  const { model } = service;
  const open = () => service.open({ dialect: "clickhouse" });
  const stored = (id: string) => model.store.pipes.get(id) as Pipe;
  /** Creates a pipe, and forgets the requests so far, so that a test sees only later ones. */
  const make = async (inputs: PropertyMap) => {
    const { id, state, failure } = await resource.create(inputs, open().session);
    expect(failure).to.equal(undefined);
    service.time.pass(100_000);
    model.journal.entries.splice(0);
    return { id, state };
  };
  const update = (id: string, state: PropertyMap, inputs: PropertyMap, session = open().session) =>
    resource.update(id, state, inputs, session);
  const writes = () =>
    model.journal.entries
      .filter(({ method }) => method !== "GET")
      .map(({ operation, requestBody }) => [operation, requestBody] as const);
  const operations = () => writes().map(([operation]) => operation);
  /** Expects a pipe to be as declared, without drift. */
  const isDone = async (id: string, state: PropertyMap, inputs: PropertyMap) => {
    service.time.pass(100_000);
    expect(await resource.diff(id, state, inputs, open().session)).to.deep.equal([]);
    const read = (await resource.read(id, state, open().session)) as { inputs: PropertyMap };
    expect(read.inputs).to.deep.equal(inputs);
  };
  return { service, model, open, stored, make, update, writes, operations, isDone };
}
