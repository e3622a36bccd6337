import type { ServiceError } from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { expect } from "chai";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Sandbox } from "../../../../sandbox/index";
import { settingsOf } from "../../../serviceContents";
import { ScriptedServer } from "../../api/server";
import { type PluginUnderTest, usePlugin } from "./engine";

const tile = {
  name: "Errors",
  x: 0,
  y: 0,
  w: 6,
  h: 4,
  series: [{ type: "number", aggFn: "count", where: "" }],
};
const inputs = { name: "Ingestion", tiles: [tile] };

describe("The plugin ends early", () => {
  const tested = usePlugin();
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
  const read = (id: string) => dashboard().read(id, inputs);
  const failureOf = async (step: Promise<unknown>) =>
    (
      await step.then(
        () => expect.fail("it succeeded"),
        (error: ServiceError) => error,
      )
    ).details;

  it("when the user cancels: a wait for the rate limit, which was announced beside the resource", async () => {
    await sandbox.faults.set([{ kind: "429", operation: "createDashboard", seconds: 100 }]);
    const steps = ["first", "second", "third"].map((name) => failureOf(create(name)));
    const [urn, message] = await plugin.nextMessage();
    expect(urn).to.match(/::(first|second|third)$/);
    expect(message).to.match(/^waiting 100 s for the service at http:\S+ \(status 429\)$/);
    await cancel();
    for (const details of await Promise.all(steps)) {
      expect(details).to.match(
        /^cancelled (before the request was sent|after status 429) \(createDashboard: POST [^)]+\)$/,
      );
    }
    expect(sandbox.store.dashboards.size).to.equal(0);
  });

  it("when the user cancels: retries, and a list that is under way", async () => {
    const server = await new ScriptedServer().start();
    await plugin.configure({ ...settingsOf(sandbox), baseUrl: server.url });
    server.answer({ status: 503, headers: { "retry-after": "100" } });
    const retried = failureOf(read("a"));
    await plugin.nextMessage();
    await cancel();
    expect(await retried).to.include("cancelled before the answer arrived (listDashboards: GET ");
    await plugin.configure({ ...settingsOf(sandbox), baseUrl: server.url });
    server.answer(() => void cancel());
    expect(await failureOf(read("a"))).to.include(
      "cancelled before the answer arrived (listDashboards: GET ",
    );
    await server.close();
  });

  it("when the user cancels: what is being created is still awaited, and goes into the state", async () => {
    const server = await new ScriptedServer().start();
    await plugin.configure({ ...settingsOf(sandbox), baseUrl: server.url });
    server.alwaysAnswer(async ({ method }, response) => {
      if (method === "POST") await cancel();
      const result = method === "POST" ? { id: "board1" } : [];
      response.end(JSON.stringify({ status: 200, requestId: "r1", result }));
    });
    const failure = (await create().catch((error) => error)) as ServiceError;
    await server.close();
    const [details] = failure.metadata.get("grpc-status-details-bin") as Buffer[];
    const [any] = Status.deserializeBinary(details as Buffer).getDetailsList();
    const saved = messages.ErrorResourceInitFailed.deserializeBinary(any?.getValue_asU8() as Uint8Array);
    expect(saved.getId()).to.equal("board1");
    expect(saved.getReasonsList()[0]).to.match(
      /^board1 was created, but could not be read back: cancelled before/,
    );
    expect(server.lines.filter((line) => line.startsWith("POST"))).to.have.length(1);
  });

  it("when the user cancels: what may have been created is named", async () => {
    const server = await new ScriptedServer().start();
    await plugin.configure({ ...settingsOf(sandbox), baseUrl: server.url });
    server.alwaysAnswer(async ({ method }, response) => {
      if (method === "GET")
        return void response.end(JSON.stringify({ status: 200, requestId: "r1", result: [] }));
      await cancel();
      response.destroy();
    });
    const details = await failureOf(create());
    await server.close();
    expect(details).to.include("The request may have been carried out").and.include('a dashboard named "it"');
  });

  it("when the user has cancelled: nothing begins any more", async () => {
    const { length } = sandbox.requests;
    await cancel();
    expect(await failureOf(create())).to.match(/^cancelled before /);
    expect(await failureOf(read("a"))).to.match(/^cancelled before /);
    expect(sandbox.requests).to.have.length(length);
  });

  it("when the time of a resource is over: a creation that is not answered is named, and not sent again", async () => {
    const server = await new ScriptedServer().start();
    await plugin.configure({ ...settingsOf(sandbox), baseUrl: server.url });
    server.alwaysAnswer(({ method }, response) => {
      if (method === "GET") response.end(JSON.stringify({ status: 200, requestId: "r1", result: [] }));
    });
    const details = await failureOf(create("slow", 1));
    await server.close();
    expect(details).to.include("the time limit of 1 s (customTimeouts) was over before the answer arrived");
    expect(details)
      .to.include("The request may have been carried out")
      .and.include('a dashboard named "slow"');
    expect(server.lines.filter((line) => line.startsWith("POST"))).to.have.length(1);
  });

  it("when the time of a resource is over: its update and its deletion", async () => {
    const [changed, deleted] = [(await create("changed")).getId(), (await create("deleted")).getId()];
    for (const operation of ["updateDashboard", "deleteDashboard"] as const)
      await sandbox.faults.add({ kind: "500", operation });
    const failures = await Promise.all([
      failureOf(update(changed, "Renamed", 1)),
      failureOf(dashboard().delete(deleted, inputs, { timeout: 1 })),
    ]);
    for (const [index, operation] of ["updateDashboard", "deleteDashboard"].entries())
      expect(failures[index]).to.match(
        new RegExp(`^the time limit of 1 s \\(customTimeouts\\) was over after status 500 \\(${operation}`),
      );
  });

  it("for a resource whose time is over, and for no other that waits for the same list", async () => {
    const [one, other] = [(await create("one")).getId(), (await create("other")).getId()];
    await sandbox.faults.set([{ kind: "delay", operation: "listDashboards", milliseconds: 1500 }]);
    sandbox.requests.length = 0;
    const [failed, { getProperties }] = await Promise.all([
      failureOf(update(one, "One", 0.5)),
      update(other, "Other").then((response) => ({ getProperties: () => response.getProperties() })),
    ]);
    expect(failed).to.include("was over before the answer arrived (listDashboards");
    expect(getProperties()?.toJavaScript()).to.include({ name: "Other" });
    expect(sandbox.requests.filter(({ operation }) => operation === "listDashboards")).to.have.length(1);
  });

  it("not at all for a limit that is longer than a timer of Node can be", async () => {
    expect((await create("patient", 10_000_000)).getId())
      .to.be.a("string")
      .and.not.equal("");
  });
});
