import { expect } from "chai";
import { createSandbox, rewriteNames, type Sandbox } from "../../../sandbox/index";
import { useVirtualTime } from "../api/virtualTime";
import { Declared, sessionOf } from "./fixture";

describe("drift under servers that say the same in other words", () => {
  let sandbox: Sandbox;
  useVirtualTime();

  before(async () => {
    sandbox = await createSandbox();
  });
  beforeEach(async () => {
    sandbox.rewrites.clear();
    await sandbox.reset();
  });
  after(() => sandbox.close());

  /** One of each resource, applied. */
  async function applied() {
    const { session } = sessionOf(sandbox);
    const webhookId = [...sandbox.store.webhooks.keys()][0];
    const scaling = new Declared("ServiceScaling", {
      numReplicas: 4,
      idleScaling: true,
      idleTimeoutMinutes: 30,
    });
    const key = new Declared("ApiKey", {
      name: "reporting",
      roles: ["developer", "query_endpoints"],
      expireAt: "2031-05-06T07:08:00+02:00",
      ipAccessList: [{ source: "10.0.0.0/8" }, { source: "203.0.113.7", description: "office" }],
    });
    await scaling.up(session);
    await key.up(session);
    const endpoint = new Declared("QueryEndpoint", {
      roles: ["sql_console_read_only", "sql_console_admin"],
      openApiKeys: [key.id],
      allowedOrigins: ["https://b.example", "https://a.example"],
    });
    await endpoint.up(session);
    const dashboard = new Declared("Dashboard", {
      name: "Ingestion",
      tags: ["production", "alpha"],
      tiles: [
        {
          name: "Errors",
          x: 0,
          y: 0,
          w: 12,
          h: 4,
          series: [{ type: "time", aggFn: "count", where: "level:error", groupBy: ["service"] }],
        },
        { name: "Rows", x: 12, y: 0, w: 6, h: 4, series: [{ type: "number" }] },
      ],
    });
    await dashboard.up(session);
    const { Errors } = dashboard.state.tileIds as Record<string, string>;
    const alert = new Declared("Alert", {
      name: "Errors",
      message: "many",
      threshold: 10,
      interval: "5m",
      thresholdType: "above",
      source: "tile",
      dashboardId: dashboard.id,
      tileId: Errors,
      channel: { type: "webhook", webhookId },
    });
    await alert.up(session);
    return { scaling, key, endpoint, dashboard, alert };
  }

  for (const names of [[], ...rewriteNames.map((name) => [name]), [...rewriteNames]]) {
    it(`finds nothing right after creates and updates with ${names.join(", ") || "no rewriting"}`, async () => {
      for (const name of names) sandbox.rewrites.add(name);
      const { scaling, key, endpoint, dashboard, alert } = await applied();
      const all = [scaling, key, endpoint, dashboard, alert];
      for (const declared of all)
        expect(await declared.refresh(sessionOf(sandbox).session), declared.type).to.deep.equal([]);

      const updated = [
        new Declared("ServiceScaling", { ...scaling.program, numReplicas: 5 }),
        new Declared("ApiKey", { ...key.program, roles: ["query_endpoints", "admin"] }),
        new Declared("QueryEndpoint", { ...endpoint.program, roles: ["sql_console_admin"] }),
        new Declared("Dashboard", { ...dashboard.program, tags: ["z", "a"] }),
        new Declared("Alert", { ...alert.program, threshold: 11 }),
      ];
      for (const [index, declared] of updated.entries()) {
        const { id, state, inputs } = all[index] as Declared;
        Object.assign(declared, { id, state, inputs });
        expect(await declared.up(sessionOf(sandbox).session), declared.type).to.have.lengthOf.greaterThan(0);
        expect(await declared.refresh(sessionOf(sandbox).session), declared.type).to.deep.equal([]);
        expect(await declared.up(sessionOf(sandbox).session), declared.type).to.deep.equal([]);
      }
    });
  }

  it("and finds tiles that somebody swapped where the answer to their creation had them in another order", async () => {
    sandbox.rewrites.add("reorderedTiles");
    const { dashboard } = await applied();
    const [errors, rows] = sandbox.store.dashboards.get(dashboard.id)?.tiles ?? [];
    Object.assign(errors ?? {}, { x: rows?.x });
    Object.assign(rows ?? {}, { x: 0 });
    expect(await dashboard.refresh(sessionOf(sandbox).session)).to.deep.equal(["tiles[0].x", "tiles[1].x"]);
  });
});
