import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../../sandbox/index";
import { send } from "../../serviceContents";

/** A sandbox that is empty before each test, and what makes objects in it through the management API. */
export interface ServiceFixture {
  readonly sandbox: Sandbox;
  /** A folder for the files of one test. */
  readonly folder: string;
  addDashboard(name?: string): Promise<{ id: string; tiles: { id: string }[] }>;
  /** An alert on a dashboard of its own. */
  addAlert(body?: object): Promise<{ id: string; dashboardId: string }>;
  addKey(body?: object): Promise<{ id: string; keyId: string }>;
  addQueryEndpoint(body: {
    openApiKeys: string[];
    roles?: string[];
    allowedOrigins?: string;
  }): Promise<unknown>;
}

/** Starts the sandbox before the tests of a `describe` block, empties it before each, and closes it after them. */
export function useServiceFixture(options: SandboxOptions = {}): ServiceFixture {
  const add = <Added>(path: string, body: object) => send<Added>(fixture.sandbox, "POST", path, body);
  const inService = (path: string) => `/services/${fixture.sandbox.credentials.serviceId}${path}`;
  const methods: Omit<ServiceFixture, "sandbox" | "folder"> = {
    addDashboard: (name = "Ingestion") => add(inService("/stack/dashboards"), { name, tiles: [tile] }),
    async addAlert(body = {}) {
      const { id: dashboardId, tiles } = await fixture.addDashboard();
      const { id } = await add<{ id: string }>(inService("/stack/alerts"), {
        name: "Errors",
        source: "tile",
        dashboardId,
        tileId: tiles[0]?.id,
        threshold: 5,
        thresholdType: "above",
        interval: "5m",
        channel: { type: "webhook", webhookId: [...fixture.sandbox.store.webhooks.keys()][0] },
        ...body,
      });
      return { id, dashboardId };
    },
    async addKey(body = {}) {
      const { key, keyId } = await add<{ key: { id: string }; keyId: string }>("/keys", {
        name: "Reporting",
        roles: ["developer"],
        ...body,
      });
      return { id: key.id, keyId };
    },
    addQueryEndpoint: (body) =>
      add(inService("/serviceQueryEndpoint"), { roles: ["sql_console_admin"], ...body }),
  };
  // Tests run after the hooks have filled in the rest.
  const fixture = methods as ServiceFixture;

  before(async () => {
    Object.assign(fixture, { sandbox: await createSandbox(options) });
  });
  beforeEach(async () => {
    await fixture.sandbox.reset();
    Object.assign(fixture, { folder: await mkdtemp(join(tmpdir(), "pipestack-command-")) });
  });
  afterEach(() => rm(fixture.folder, { recursive: true, force: true }));
  after(() => fixture.sandbox.close());
  return fixture;
}

const tile = {
  name: "Errors",
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  series: [{ type: "time", aggFn: "count", groupBy: ["host"] }],
};
