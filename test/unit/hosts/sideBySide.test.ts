import { expect } from "chai";
import type { HostName } from "../../life/hosts";
import { Managed } from "../../life/managed";
import { type OpenService, openService, setups } from "../../life/service";

const tile = (name: string, x: number, w = 6) => ({
  ...{ name, x, y: 0, w, h: 4 },
  series: [{ type: "number", aggFn: "count", where: "" }],
});
const board = (...tiles: object[]) => ({ name: "Board", tiles });
const [errors, rows] = [tile("Errors", 0), tile("Rows", 6)];

async function inService<Result>(task: (service: OpenService) => Promise<Result>): Promise<Result> {
  const service = await openService(setups["both APIs of the document"]);
  try {
    await service.reset();
    return await task(service);
  } finally {
    await service.close();
  }
}

/** Requests, states and messages of a dashboard's life with mistakes and failures; without ids and times. */
const storyIn = (host: HostName) =>
  inService(async (service) => {
    const { sandbox } = service;
    const dashboard = new Managed("Dashboard", host, service);
    const states: object[] = [];
    const failed = async (step: Promise<unknown>) =>
      dashboard.messages.push(
        await step.then(
          () => "nothing failed",
          ({ message }: Error) => message,
        ),
      );
    await failed(dashboard.up({ ...board(tile("Errors", 0, 0)), tags: [1] }));
    await sandbox.faults.set([{ kind: "400", operation: "createDashboard", nth: 1 }]);
    await failed(dashboard.up(board(errors, rows)));
    await dashboard.up(board(errors, rows));
    states.push(dashboard.state);
    await dashboard.up(board(tile("Errors", 0, 8), rows));
    states.push(dashboard.state);
    Object.assign(sandbox.store.dashboards.get(dashboard.id) ?? {}, { name: "By hand" });
    await dashboard.refresh();
    states.push(dashboard.state);
    await sandbox.faults.set([{ kind: "403-firewall", operation: "*" }]);
    await failed(dashboard.refresh());
    const requests = sandbox.requests.map(({ method, path, status, requestBody }) => [
      method,
      path,
      status,
      requestBody,
    ]);
    const text = JSON.stringify({ requests, states, told: dashboard.messages });
    return JSON.parse(
      text
        .replace(/\b[0-9a-f]{24}\b/g, "<id>")
        .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>")
        .replace(/127\.0\.0\.1:\d+/g, "<address>")
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>"),
    ) as { readonly requests: unknown[]; readonly states: unknown[]; readonly told: string[] };
  });

describe("The dynamic host and the plugin", () => {
  it("both hosts send the same requests, leave the same states and print the same", async () => {
    const [dynamic, plugin] = [await storyIn("the dynamic host"), await storyIn("the plugin")];
    expect(plugin).to.deep.equal(dynamic);
    expect(dynamic.requests).to.have.length.above(7);
    expect(dynamic.told.join("\n")).to.include('the tiles "Errors" and "Rows" overlap');
    expect(dynamic.told.filter((text) => text === "nothing failed")).to.deep.equal([]);
  });
});
