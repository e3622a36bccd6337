import type { ServerResponse } from "node:http";
import { expect } from "chai";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Sandbox } from "../../../../sandbox/index";
import { settingsOf } from "../../../serviceContents";
import { useServer } from "../../api/server";
import { failureOfCall, dashboard as inputs, type PluginUnderTest, plain, usePlugin } from "./engine";

describe("Cancellations and time limits of the plugin", () => {
  const tested = usePlugin();
  const server = useServer();
  let sandbox: Sandbox;
  let plugin: PluginUnderTest;

  beforeEach(() => {
    ({ sandbox, plugin } = tested);
  });

  const cancel = () => plugin.call("cancel", new Empty());
  const dashboard = (name?: string) => plugin.resource("Dashboard", name);
  const create = (name = "it", timeout = 0) => dashboard(name).create({ ...inputs, name }, { timeout });
  const update = (id: string, name: string, timeout = 0) =>
    dashboard().update(id, inputs, { ...inputs, name }, { timeout });
  const detailsOf = async (step: Promise<unknown>) => (await failureOfCall(step)).details;
  const useAddress = () => plugin.configure({ ...settingsOf(sandbox), baseUrl: server.current.url });

  /** Points the plugin at a server without dashboards, which answers each create by the given function. */
  async function answerCreates(answer: (response: ServerResponse) => void): Promise<void> {
    server.current.alwaysAnswer(({ method }, response) => {
      if (method !== "GET") return answer(response);
      response.end(JSON.stringify({ status: 200, requestId: "r1", result: [] }));
    });
    await useAddress();
  }
  const creates = () => server.current.lines.filter((line) => line.startsWith("POST"));

  it("the plugin logs a wait for the rate limit at the waiting resource, and a cancellation ends the wait", async () => {
    await sandbox.faults.set([{ kind: "429", operation: "createDashboard", seconds: 100 }]);
    const steps = ["first", "second", "third"].map((name) => detailsOf(create(name)));
    const [urn, message] = await plugin.nextMessage();
    expect(urn).to.match(/::(first|second|third)$/);
    expect(message).to.match(/^waiting 100 s for the service at http:\S+ \(status 429\)$/);
    await cancel();
    for (const details of await Promise.all(steps))
      expect(details).to.match(
        /^cancelled (before the request was sent|after status 429) \(createDashboard: POST [^)]+\)$/,
      );
    expect(sandbox.store.dashboards.size).to.equal(0);
  });

  it("a cancellation does not end a create under way, whose object goes into the state", async () => {
    await answerCreates(async (response) => {
      await cancel();
      response.end(JSON.stringify({ status: 200, requestId: "r1", result: { id: "board1" } }));
    });
    const { saved, typeOfSaved } = await failureOfCall(create());
    expect(typeOfSaved).to.include("pulumirpc.ErrorResourceInitFailed");
    expect(saved?.getId()).to.equal("board1");
    expect(plain(saved?.getProperties())).to.deep.include({ ...inputs, name: "it" });
    expect(saved?.getReasonsList()[0]).to.match(
      /^board1 was created, but could not be read back; the next pulumi up completes it: cancelled before/,
    );
    expect(creates()).to.have.length(1);
  });

  it("a time limit of the plugin's resource ends an update, a deletion, a refresh and an import", async () => {
    const [changed, deleted] = [(await create("changed")).getId(), (await create("deleted")).getId()];
    await tested.restart();
    ({ plugin } = tested);
    const operations = ["updateDashboard", "deleteDashboard"] as const;
    for (const operation of operations) await sandbox.faults.add({ kind: "500", operation });
    const failures = await Promise.all([
      detailsOf(update(changed, "Renamed", 1)),
      detailsOf(dashboard().delete(deleted, inputs, { timeout: 1 })),
    ]);
    for (const [index, operation] of operations.entries())
      expect(failures[index]).to.match(
        new RegExp(
          `^the time limit of 1 s \\(option customTimeouts\\) passed after status 500 \\(${operation}`,
        ),
      );
    await plugin.configure(settingsOf(sandbox));
    await sandbox.faults.set([{ kind: "delay", operation: "listDashboards", milliseconds: 1500 }]);
    for (const properties of [inputs, {}])
      expect(await detailsOf(dashboard().read(changed, properties, undefined, 0.5))).to.include(
        "the time limit of 0.5 s (option customTimeouts) passed before the answer arrived",
      );
  });
});
