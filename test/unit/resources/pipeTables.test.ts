import { expect } from "chai";
import { importObject } from "../../../provider/lifecycle/read";
import type { UpdatedIncompletely } from "../../../provider/lifecycle/resource";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { failureOf } from "../api/failure";
import { place } from "../lifecycle/scriptedService";
import { postgres } from "./pipe.example";
import { login, replicaOf, table, usePipes } from "./pipeSteps";

const { Pipe: resource } = resources;
const card = { excludedColumns: ["card"] };
const replica = replicaOf(table("orders"), table("refunds"));

describe("The tables of a database pipe", () => {
  const { service, open, stored, make, update, writes, operations, isDone } = usePipes();
  const edits = () =>
    service
      .bodiesOf("updatePipe")
      .map((body) => (body as { source: { postgres: PropertyMap } }).source.postgres);
  const names = (list: unknown) =>
    (list as { sourceTable: string }[] | undefined)?.map((one) => one.sourceTable);
  const sent = () =>
    edits().map(({ tableMappingsToAdd, tableMappingsToRemove }) => [
      names(tableMappingsToRemove),
      names(tableMappingsToAdd),
    ]);
  const tables = (id: string) => stored(id).source.postgres?.tableMappings as unknown as PropertyMap[];

  it("an update that replaces all tables of a pipe never leaves the pipe without a table", async () => {
    const { id, state } = await make(replica);
    const next = replicaOf(table("orders", card), table("refunds", card));
    const updated = await update(id, state, next);
    expect(sent()).to.deep.equal([
      [["refunds"], undefined],
      [["orders"], ["refunds"]],
      [undefined, ["orders"]],
    ]);
    expect(tables(id).map(({ excludedColumns }) => excludedColumns)).to.deep.equal([["card"], ["card"]]);
    expect(await resource.diff(id, updated, next, open().session)).to.deep.equal([]);
  });

  describe("that has one table alone", () => {
    const next = { ...replicaOf(table("orders", card)), name: "another" };

    it("a change of a pipe's only table replaces the pipe, which needs allowReplacement", async () => {
      const { id, state } = await make(replicaOf(table("orders")));
      expect((await failureOf(resource.diff(id, state, next, open().session))).message).to.match(
        /^source\.postgres\.tableMappings: the change would replace pipe \S+ \(replica\): .*allowReplacement/,
      );
      const changes = await resource.diff(id, state, { ...next, allowReplacement: true }, open().session);
      expect(changes.find(({ path }) => path === "source.postgres.tableMappings")?.replaces).to.equal(true);
    });

    it("an update that finds only the table that it would change fails without a write", async () => {
      const { id, state } = await make(replicaOf(table("orders")));
      const withBoth = { ...state, source: replica.source };
      expect((await failureOf(update(id, withBoth, next))).message).to.match(
        /its only table mapping cannot be changed in place/,
      );
      expect([edits(), stored(id).name]).to.deep.equal([[], "replica"]);
    });
  });

  it("a property that leaves a pipe's only table mapping plans a replacement", async () => {
    const { id, state } = await make(replicaOf(table("orders", card)));
    const changes = await resource.diff(
      id,
      state,
      { ...replicaOf(table("orders")), allowReplacement: true },
      open().session,
    );
    expect(changes.find(({ path }) => path === "source.postgres.tableMappings")?.replaces).to.equal(true);
  });

  it("after an update that fails because somebody added a table, the next one removes the table", async () => {
    const { id, state } = await make(replica);
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      if (operation === "updatePipe") tables(id).push(table("visits"));
      return answer;
    };
    const next = { ...replica, name: "other" };
    const failure = await failureOf(update(id, state, next));
    expect(failure.message).to.match(
      /the tableMappings of its source differ from those that this update was to bring about/,
    );
    service.gateway = undefined;
    const { session, warnings } = open();
    await update(id, (failure as UpdatedIncompletely).state, next, session);
    expect(warnings.join()).to.match(/somebody else changed source\.postgres\.tableMappings/);
    expect(names(tables(id))).to.deep.equal(["orders", "refunds"]);
  });

  for (const [status, said, end] of [
    ["Running", /is Paused: .* since it ran when it was last seen; it runs again/, "Running"],
    ["Paused", /is Paused: .* it stays so; declare state: "running"/, "Paused"],
  ] as const)
    it(`an update of the tables of a pipe that somebody has paused says what becomes of it: it was ${status}`, async () => {
      const { id, state } = await make(replica);
      Object.assign(stored(id), { state: "Paused" });
      const { session, warnings } = open();
      await update(id, { ...state, status }, replicaOf(table("orders")), session);
      expect(warnings.join()).to.match(said);
      expect(stored(id).state).to.equal(end);
    });

  it("an update pauses a database pipe only while it adds and removes tables", async () => {
    const { id, state } = await make(replica);
    const next = replicaOf(table("refunds"), table("visits"));
    const updated = await update(id, state, next);
    expect(writes()).to.deep.equal([
      ["updatePipeState", { command: "stop" }],
      [
        "updatePipe",
        {
          source: {
            postgres: {
              tableMappingsToAdd: [table("visits")],
              tableMappingsToRemove: [{ ...table("orders"), tableEngine: "ReplacingMergeTree" }],
            },
          },
        },
      ],
    ]);
    service.time.pass(100_000);
    expect(stored(id).state).to.equal("Running");
    await isDone(id, updated, next);
  });

  it("a change of resyncTrigger reloads the tables once, after all other changes", async () => {
    const { id, state } = await make({ ...replica, resyncTrigger: "1" });
    const next = {
      ...replica,
      resyncTrigger: "2",
      source: {
        postgres: { ...postgres, ...{ port: 5433 }, tableMappings: replica.source.postgres.tableMappings },
      },
    };
    const updated = await update(id, state, next);
    expect(operations()).to.deep.equal(["updatePipe", "updatePipeState"]);
    expect(writes().at(-1)).to.deep.equal(["updatePipeState", { command: "resync" }]);
    await isDone(id, updated, next);
  });

  describe("The collections of a MongoDB pipe", () => {
    const collection = (name: string, ingestion: object = {}) => ({
      ...{ sourceDatabaseName: "app", sourceCollection: name, targetTable: name },
      structuredIngestion: { enabled: true, ...ingestion },
    });
    const profiles = (...tableMappings: object[]) => ({
      ...{ ...place, name: "profiles", credentials: login, destination: { database: "default" } },
      source: {
        mongodb: {
          ...{ uri: "mongodb://db.example.com/app", readPreference: "primary" },
          ...{ settings: { replicationMode: "cdc" }, tableMappings },
        },
      },
    });
    const sentTo = () =>
      writes().flatMap(([operation, body]) =>
        operation === "updatePipe"
          ? [Object.entries((body as { source: { mongodb: PropertyMap } }).source.mongodb)]
          : [],
      );

    it("a new collection reloads no other one, although the service fills in defaults inside the mappings", async () => {
      const { id, state } = await make(profiles(collection("users"), collection("carts")));
      const next = profiles(collection("users"), collection("carts"), collection("orders"));
      const { session, warnings } = open();
      await resource.diff(id, state, next, session);
      expect(warnings).to.deep.equal([]);
      const updated = await update(id, state, next);
      expect(JSON.stringify(sentTo()))
        .to.match(/tableMappingsToAdd/)
        .and.not.match(/ToRemove|users|carts/);
      await isDone(id, updated, next);
    });

    it("the preview after an import of a pipe with one collection shows no change of its mapping", async () => {
      const program = profiles(collection("users"));
      const { id } = await make(program);
      const imported = await importObject(resource, id, place, open().session);
      if (typeof imported === "string") throw new Error(imported);
      const { mongodb } = imported.inputs.source as typeof program.source;
      expect(mongodb.tableMappings).to.deep.equal(program.source.mongodb.tableMappings);
      const state = { ...imported.state, ...imported.inputs };
      const pathsOf = async (next: PropertyMap) =>
        (await resource.diff(id, state, next, open().session)).map(({ path }) => path);
      expect(await pathsOf(program))
        .to.include("credentials")
        .and.not.include("source.mongodb.tableMappings");
      const explicit = profiles(collection("users", { dropUnexpectedValues: false, sortingKeys: [] }));
      expect(await pathsOf(explicit)).to.not.include("source.mongodb.tableMappings");
    });

    it("the preview names the collection that a changed mapping loads anew", async () => {
      const { id, state } = await make(profiles(collection("users"), collection("carts")));
      const next = profiles(collection("users", { dropUnexpectedValues: true }), collection("carts"));
      const { session, warnings } = open();
      await resource.diff(id, state, next, session);
      expect(warnings).to.deep.equal([
        `pipe ${id} (profiles): the change of its tableMappings will load app.users anew, since the service changes no mapping in place: the table is removed from the pipe and added again`,
      ]);
      const updated = await update(id, state, next);
      expect(
        await resource.diff(id, updated, profiles(collection("users"), collection("carts")), open().session),
      ).to.have.length(1);
    });
  });
});
