import { expect } from "chai";
import { calls, type Fixture, forget, useFixture } from "../fixture";
import { hostUnlessTold } from "../pluginHost";

const program = `
const scaling = new ServiceScaling("scaling", { numReplicas: 4, idleScaling: true });
const key = new ApiKey("key", { name: "reporting", roles: ["developer"], expireAt: "2031-01-01T00:00:00Z" });
const endpoint = new QueryEndpoint("endpoint", {
  roles: ["sql_console_read_only"], openApiKeys: [key.id], allowedOrigins: ["https://b.example", "https://a.example"],
});
const dashboard = new Dashboard("dashboard", {
  name: "Ingestion",
  tags: ["production"],
  tiles: [
    { name: "Errors", x: 0, y: 0, w: 12, h: 4, series: [{ type: "time", aggFn: "count", where: "level:error", groupBy: [] }] },
    { name: "Rows", x: 12, y: 0, w: 6, h: 4, series: [{ type: "number" }] },
  ],
});
const webhookId = getWebhooksOutput().apply((all) => all[0].id);
new Alert("alert", {
  name: "Errors", threshold: 10, interval: "5m", thresholdType: "above", source: "tile",
  dashboardId: dashboard.id, tileId: dashboard.tileIds.Errors, channel: { type: "webhook", webhookId },
});
`;

describe("drift through the engine", () => {
  const fixture = useFixture({ host: hostUnlessTold("plugin") });

  before(async () => {
    await fixture.apply(program);
  });

  /** What a drift check says: exit code and the report. */
  const driftCheck = (expected: number) =>
    fixture.preview({ args: ["--refresh", "--expect-no-changes", "--diff"], expect: expected });

  const idOf = async (name: string) => (await fixture.resource(name)).id as string;

  const cases: {
    readonly [name: string]: {
      change(store: Fixture["sandbox"]["store"], id: string): void;
      /** What the report shows of the property. */
      shows: RegExp;
      /** The one request that repairs it. */
      repair: string;
    };
  } = {
    scaling: {
      change: (store, id) => void Object.assign(store.services.get(id) ?? {}, { numReplicas: 9 }),
      shows: /numReplicas *: 9 => 4/,
      repair: "PATCH /scaling",
    },
    key: {
      change: (store, id) => void Object.assign(store.keys.get(id) ?? {}, { roles: ["admin"] }),
      shows: /roles[\s\S]*"admin" => "developer"/,
      repair: "PATCH /keys/{id}",
    },
    endpoint: {
      change: (store, id) =>
        void Object.assign(store.queryEndpointOf(id) ?? {}, { allowedOrigins: "https://c.example" }),
      shows: /allowedOrigins/,
      repair: "POST /serviceQueryEndpoint",
    },
    dashboard: {
      change: (store, id) => void Object.assign(store.dashboards.get(id)?.tiles[1] ?? {}, { w: 7 }),
      shows: /w *: 7 => 6/,
      repair: "PUT /api/v2/dashboards/{id}",
    },
    alert: {
      change: (store, id) => void Object.assign(store.alerts.get(id) ?? {}, { threshold: 99 }),
      shows: /threshold *: 99 => 10/,
      repair: "PUT /api/v2/alerts/{id}",
    },
  };

  it("is not reported right after up, nor for properties that are not declared", async () => {
    const { store, credentials } = fixture.sandbox;
    Object.assign(store.services.get(credentials.serviceId) ?? {}, {
      idleTimeoutMinutes: 55,
      name: "renamed",
    });
    Object.assign(store.alerts.get(await idOf("alert")) ?? {}, { message: "somebody's", state: "ALERT" });
    await driftCheck(0);
  });

  describe("of one resource of each type", () => {
    let output = "";

    before(async () => {
      for (const [name, { change }] of Object.entries(cases)) change(fixture.sandbox.store, await idOf(name));
      ({ output } = await driftCheck(7));
    });

    for (const [name, { shows }] of Object.entries(cases)) {
      it(`names the property of the ${name}`, () => {
        const parts = output.split(/^ {4}[~+-] .*: \((?:update|refresh|create)\)$/m);
        const shown = parts.filter((part) => part.includes(`::${name}]`)).join("\n");
        expect(shown, output).to.match(shows);
      });
    }

    it("is repaired by the next up with one request for each", async () => {
      expect(output).to.match(/~ 5 to update/);
      forget(fixture.sandbox);
      await fixture.up({ args: ["--refresh"] });
      const writes = calls(fixture.sandbox).filter((line) => !line.startsWith("GET"));
      expect(writes).to.have.members(Object.values(cases).map(({ repair }) => repair));
    });
  });

  it("of a deleted object is reported as a creation, and the next up creates it again", async () => {
    const id = await idOf("alert");
    fixture.sandbox.store.alerts.delete(id);
    fixture.pass(200_000);
    const { output } = await driftCheck(7);
    expect(output).to.match(/\+ 1 to create/);
    await fixture.up({ args: ["--refresh"] });
    expect(
      [...fixture.sandbox.store.alerts.values()].filter((alert) => alert.name === "Errors"),
    ).to.have.length(1);
    await driftCheck(0);
  });

  it("reads each collection once", async () => {
    forget(fixture.sandbox);
    await fixture.refresh();
    expect(calls(fixture.sandbox).sort()).to.deep.equal([
      "GET /",
      "GET /keys",
      "GET /serviceQueryEndpoint",
      // The API document has no list of services.
      "GET /services 404",
      "GET /stack/alerts",
      "GET /stack/dashboards",
    ]);
  });
});
