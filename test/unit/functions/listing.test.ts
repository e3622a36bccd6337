import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import { failureOf } from "../api/failure";
import { asked, known, sandboxedProgram } from "./sandboxedProgram";

describe("functions that find one object", () => {
  const program = sandboxedProgram();

  const messageOf = async (call: Promise<unknown>) => (await failureOf(call)).message;
  /** Adds a copy of the first object of a collection. */
  const add = <Stored extends { id: string }>(
    objects: Map<string, Stored>,
    changed: Partial<Stored> & { id: string },
  ) => {
    const [seeded] = objects.values();
    if (!seeded) throw new Error("the sandbox has nothing to copy");
    objects.set(changed.id, { ...seeded, ...changed });
  };

  it("answer it by its name, its kind or both, from the list that the others read", async () => {
    const [logs, traces] = await pipestack.getSources();
    expect(await pipestack.getSource({ name: "Logs" })).to.deep.equal(logs);
    expect(await pipestack.getSource({ kind: "trace" })).to.deep.equal(traces);
    expect(await pipestack.getSource({ name: "Traces", kind: "trace" })).to.deep.equal(traces);
    expect(await known(pipestack.getSourceOutput({ name: pulumi.output("Logs") }))).to.deep.equal(logs);
    const [, warnings] = await pipestack.getSavedSearches();
    expect(warnings).to.include({ name: "Warnings", where: "SeverityText:warn" });
    expect(await pipestack.getSavedSearch({ name: "Warnings" })).to.deep.equal(warnings);
    expect(await known(pipestack.getSavedSearchOutput({ name: "Warnings" }))).to.deep.equal(warnings);
    expect(await known(pipestack.getSavedSearchesOutput())).to.have.length(2);
    add(program.sandbox.store.webhooks, { id: "65f1c0a2b3d4e5f6071829aa", service: "slack" });
    const found = await pipestack.getWebhook({ name: "on-call", service: "slack" });
    expect(found).to.include({ id: "65f1c0a2b3d4e5f6071829aa", name: "on-call", service: "slack" });
    expect(await known(pipestack.getWebhookOutput({ name: "on-call", service: "slack" }))).to.deep.equal(
      found,
    );
    expect(asked(program.sandbox)).to.deep.equal(["GET sources", "GET saved-searches", "GET webhooks"]);
  });

  it("answer a connection by its name, without its password", async () => {
    const [connection] = program.sandbox.store.connections.values();
    if (connection) connection.password = "secret of the database";
    const found = await pipestack.getConnection({ name: "Default" });
    expect(found).to.include({ id: connection?.id, host: connection?.host, username: "default" });
    expect(await pipestack.getConnections()).to.deep.equal([found]);
    expect(await known(pipestack.getConnectionOutput({ name: "Default" }))).to.deep.equal(found);
    expect(await known(pipestack.getConnectionsOutput())).to.deep.equal([found]);
    expect(JSON.stringify(found)).to.not.include("secret of the database");
    expect(asked(program.sandbox)).to.deep.equal(["GET connections"]);
    expect(await messageOf(pipestack.getConnection({ name: "Replica" }))).to.equal(
      'pipestack.getConnection: the service has no connection named "Replica"; it has "Default"',
    );
  });

  it("fail if there is none, and name the objects that exist", async () => {
    const sources = 'it has "Logs" (log), "Traces" (trace), "Metrics" (metric)';
    for (const [call, message] of [
      [pipestack.getSource({ name: "Log" }), `getSource: the service has no source named "Log"; ${sources}`],
      [
        pipestack.getSource({ name: "Logs", kind: "session" }),
        `getSource: the service has no source named "Logs" of kind "session"; ${sources}`,
      ],
      [
        pipestack.getSavedSearch({ name: "Slow" }),
        'getSavedSearch: the service has no saved search named "Slow"; it has "Errors", "Warnings"',
      ],
      [
        pipestack.getWebhook({ name: "on-call", service: "slack" }),
        'getWebhook: the service has no webhook named "on-call" of service "slack"; it has "on-call" (generic)',
      ],
    ] as const)
      expect(await messageOf(call)).to.equal(`pipestack.${message}`);
  });

  it("fail if there are several, and name their ids", async () => {
    add(program.sandbox.store.sources, { id: "65f1c0a2b3d4e5f6071829a1" });
    expect(await messageOf(pipestack.getSource({ name: "Logs" }))).to.equal(
      'pipestack.getSource: the service has 2 sources named "Logs": "Logs" (65f1c0a2b3d4e5f607182911), "Logs" (65f1c0a2b3d4e5f6071829a1); use the id of the one that is meant',
    );
  });

  it("name ten of many objects, and shorten long names", async () => {
    const { savedSearches } = program.sandbox.store;
    for (let index = 0; index < 200; index++) {
      const id = `65f1c0a2b3d4e5f6071${String(index).padStart(5, "0")}`;
      add(savedSearches, { id, name: `${index} ${"long ".repeat(200)}` });
    }
    const message = await messageOf(pipestack.getSavedSearch({ name: "Slow" }));
    expect(message).to.match(/"0 long .*…" and 192 more$/);
    expect(message).to.have.length.below(1300);
  });

  it("fail if there is no object at all", async () => {
    program.sandbox.store.savedSearches.clear();
    expect(await messageOf(pipestack.getSavedSearch({ name: "Slow" }))).to.equal(
      'pipestack.getSavedSearch: the service has no saved search named "Slow"; it has no saved searches at all',
    );
  });
});
