import { expect } from "chai";
import type { UpdatedIncompletely } from "../../../provider/lifecycle/resource";
import { resources } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { type Pipe, seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { useService } from "../lifecycle/service";
import { postgres } from "./pipe.example";

const { organizationId, serviceId } = seededCredentials;
const { Pipe: resource } = resources;
const table = (name: string, further: object = {}) => ({
  ...{ sourceSchemaName: "public", sourceTable: name, targetTable: name },
  ...further,
});
const card = { excludedColumns: ["card"] };
const replicaOf = (...tableMappings: object[]) => ({
  ...{ organizationId, serviceId, name: "replica", destination: { database: "default" } },
  ...{ source: { postgres: { ...postgres, tableMappings } } },
  credentials: { username: "reader", password: "a password of the reader" },
});

describe("The tables of a database pipe", () => {
  const service = useService({ dialect: "clickhouse", stateMilliseconds: 20_000 });
  const { model } = service;
  const open = () => service.open({ dialect: "clickhouse" });
  const stored = (id: string) => model.store.pipes.get(id) as Pipe;
  const make = async (inputs: Data) => {
    const { id, state } = await resource.create(inputs, open().session);
    service.time.pass(100_000);
    model.journal.entries.splice(0);
    return { id, state };
  };
  const edits = () =>
    model.journal.entries.flatMap(({ operation, requestBody }) =>
      operation === "updatePipe" ? [(requestBody as { source: { postgres: Data } }).source.postgres] : [],
    );
  const names = (list: unknown) =>
    (list as { sourceTable: string }[] | undefined)?.map((one) => one.sourceTable);
  const sent = () =>
    edits().map(({ tableMappingsToAdd, tableMappingsToRemove }) => [
      names(tableMappingsToRemove),
      names(tableMappingsToAdd),
    ]);
  const tables = (id: string) => stored(id).source.postgres?.tableMappings as unknown as Data[];

  it("an update that replaces all tables of a pipe never leaves the pipe without a table", async () => {
    const { id, state } = await make(replicaOf(table("orders"), table("refunds")));
    const next = replicaOf(table("orders", card), table("refunds", card));
    const updated = await resource.update(id, state, next, open().session);
    expect(sent()).to.deep.equal([
      [["refunds"], undefined],
      [["orders"], ["refunds"]],
      [undefined, ["orders"]],
    ]);
    expect(tables(id).map(({ excludedColumns }) => excludedColumns)).to.deep.equal([["card"], ["card"]]);
    expect(await resource.diff(id, updated, next, open().session)).to.deep.equal([]);
  });

  it("an update of a pipe changes tables before it removes another table", async () => {
    const { id, state } = await make(replicaOf(table("orders"), table("refunds")));
    await resource.update(id, state, replicaOf(table("refunds", card)), open().session);
    expect(sent()).to.deep.equal([
      [["refunds"], undefined],
      [["orders"], ["refunds"]],
    ]);
  });

  it("a change of the only table replaces the pipe in the preview, and an update sends nothing", async () => {
    const { id, state } = await make(replicaOf(table("orders")));
    const next = { ...replicaOf(table("orders", card)), name: "another" };
    expect((await failureOf(resource.diff(id, state, next, open().session))).message).to.match(
      /^source\.postgres\.tableMappings: the change would replace pipe \S+ \(replica\): .*allowReplacement/,
    );
    const changes = await resource.diff(id, state, { ...next, allowReplacement: true }, open().session);
    expect(changes.find(({ path }) => path === "source.postgres.tableMappings")?.replaces).to.equal(true);
    const withBoth = { ...state, source: replicaOf(table("orders"), table("refunds")).source };
    expect((await failureOf(resource.update(id, withBoth, next, open().session))).message).to.match(
      /its only table mapping cannot be changed in place/,
    );
    expect([edits(), stored(id).name]).to.deep.equal([[], "replica"]);
  });

  it("an update makes a table anew if the program drops one of its properties, unless the property had its default value", async () => {
    const first = { ...card, tableEngine: "ReplacingMergeTree" };
    const { id, state } = await make(replicaOf(table("orders", first), table("refunds", first)));
    const next = replicaOf(table("orders"), table("refunds", card));
    const updated = await resource.update(id, state, next, open().session);
    expect(sent()).to.deep.equal([
      [["orders"], undefined],
      [undefined, ["orders"]],
    ]);
    expect(await resource.diff(id, updated, next, open().session)).to.deep.equal([]);
  });

  it("an update of a pipe fails if somebody adds a table meanwhile, and the next update removes the table with a warning", async () => {
    const { id, state } = await make(replicaOf(table("orders"), table("refunds")));
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      if (operation === "updatePipe") tables(id).push(table("visits"));
      return answer;
    };
    const next = { ...replicaOf(table("orders"), table("refunds")), name: "other" };
    const failure = await failureOf(resource.update(id, state, next, open().session));
    expect(failure.message).to.match(
      /the tableMappings of its source differ from those that this update was to bring about/,
    );
    service.gateway = undefined;
    const { session, warnings } = open();
    await resource.update(id, (failure as UpdatedIncompletely).state, next, session);
    expect(warnings.join()).to.match(/somebody else changed source\.postgres\.tableMappings/);
    expect(names(tables(id))).to.deep.equal(["orders", "refunds"]);
  });

  it("an update of tables warns that it starts a pipe again that somebody has paused", async () => {
    const { id, state } = await make(replicaOf(table("orders"), table("refunds")));
    Object.assign(stored(id), { state: "Paused" });
    const { session, warnings } = open();
    await resource.update(id, { ...state, status: "Running" }, replicaOf(table("orders")), session);
    expect(warnings.join()).to.match(/is Paused: .* since it ran when it was last seen; it runs again/);
    expect(stored(id).state).to.equal("Running");
  });

  it("an update of tables warns that a pipe stays paused that the state knows as paused", async () => {
    const { id, state } = await make(replicaOf(table("orders"), table("refunds")));
    Object.assign(stored(id), { state: "Paused" });
    const { session, warnings } = open();
    await resource.update(id, { ...state, status: "Paused" }, replicaOf(table("orders")), session);
    expect(warnings.join()).to.match(/is Paused: .* it stays so; declare state: "running"/);
    expect(stored(id).state).to.equal("Paused");
  });

  it("the check refuses to reload the tables of a pipe that the program declares stopped", async () => {
    const olds = { ...replicaOf(table("orders")), resyncTrigger: "1", state: "stopped" };
    const { session } = open();
    const { failures } = await resource.check(olds, { ...olds, resyncTrigger: "2" }, session);
    expect(failures.map(({ path, message }) => `${path} ${message}`)).to.deep.equal([
      "resyncTrigger cannot change while state is stopped: a pipe runs to load its tables",
    ]);
    expect((await resource.check(olds, olds, session)).failures).to.deep.equal([]);
  });
});
