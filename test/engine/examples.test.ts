import { join } from "node:path";
import { expect } from "chai";
import type { Sandbox } from "../../sandbox/index";
import { settingVariables } from "../pipestackCommand";
import { settingsOf } from "../serviceContents";
import { expectNoSecrets, projectIn, useFixture } from "./fixture";

const examples = join(__dirname, "..", "..", "examples");

interface Example {
  readonly name: string;
  readonly apis: "management" | "observability";
  settings(sandbox: Sandbox): Record<string, string>;
  /** The provider settings that a user of the example sets as secrets. */
  readonly secret: readonly [key: string, value: string];
  /** The provider settings that a user of the example sets, besides address and credentials. */
  readonly configuration: { readonly [key: string]: string };
  readonly created: number;
  readonly tiles: readonly string[];
}

const all: Example[] = [
  {
    name: "clickhouse-cloud",
    apis: "management",
    settings: ({ baseUrl, credentials: { organizationId, serviceId, keyId, keySecret } }) => ({
      ...{ baseUrl, organizationId, serviceId, keyId, keySecret },
    }),
    secret: ["slackUrl", "https://hooks.slack.com/services/T0/B0/secret-of-the-address"],
    configuration: { reportingRole: "query_endpoints" },
    created: 9,
    tiles: ["Errors", "Events"],
  },
  {
    name: "self-hosted-hyperdx",
    apis: "observability",
    settings: ({ obsBaseUrl, credentials: { accessToken } }) => ({ obsBaseUrl, accessToken }),
    secret: ["webhookUrl", "https://hooks.example.com/secret-of-the-address"],
    configuration: {},
    created: 5,
    tiles: ["Errors", "Slowest requests"],
  },
];

for (const { name, apis, settings, secret, configuration, created, tiles } of all) {
  describe(`The example program ${name}`, () => {
    const fixture = useFixture({
      host: "dynamic",
      projectFile: projectIn(join(examples, name)),
      sandbox: { dialect: "clickhouse", apis },
      settings: {},
    });

    before(async () => {
      // The example's Pulumi.yaml sets the dialect. The provider's own rate limit is lifted, since it would only slow down the
      // test.
      const own = { ...settings(fixture.sandbox), requestsPerSecond: "1000" };
      Object.assign(fixture.environment, settingVariables(own));
      await fixture.config(...secret, true);
      for (const [key, value] of Object.entries(configuration)) await fixture.config(key, value);
    });

    it(`the example program ${name} creates the objects that its README names without a warning`, async () => {
      const { summary, output } = await fixture.up();
      expect(summary).to.deep.equal({ create: created });
      expect(output).to.not.include("warning");
      const { dashboards, webhooks, savedSearches, alerts, sources } = fixture.sandbox.store;
      const [dashboard] = dashboards.values();
      expect(dashboard?.tiles.map((tile) => tile.name)).to.deep.equal(tiles);
      const [webhook, search] = [[...webhooks.values()].at(-1), [...savedSearches.values()].at(-1)];
      const bySource = Object.fromEntries([...alerts.values()].map((one) => [one.source, one]));
      expect(bySource.tile).to.deep.include({
        ...{ dashboard: dashboard?.id, tileId: dashboard?.tiles[0]?.id, threshold: 100 },
        channel: { type: "webhook", webhookId: webhook?.id },
      });
      expect(bySource.search).to.include({ savedSearch: search?.id, groupBy: "ServiceName" });
      const shown = [search?.sourceId, ...(dashboard?.tiles ?? []).map(({ config }) => config?.sourceId)];
      for (const id of shown) expect([...sources.keys()]).to.include(id);
      // Before the provider creates a query endpoint, it looks for an existing one, so one request gets 404.
      const refused = fixture.sandbox.requests.filter(({ status }) => status !== 200);
      expect(refused.filter(({ operation }) => operation !== "getQueryEndpoint")).to.deep.equal([]);
    });

    it(`the example program ${name} shows no drift right after its update`, async () => {
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    });

    it(`destroying the example program ${name} deletes exactly the objects that it created`, async () => {
      const { summary, output } = await fixture.destroy();
      expect(summary).to.deep.equal({ delete: created });
      expect(output).to.not.include("warning");
      const { dashboards, alerts, queryEndpoints, keys, services } = fixture.sandbox.store;
      const { sources, webhooks, savedSearches } = fixture.sandbox.store;
      expect([dashboards.size, alerts.size, queryEndpoints.size, keys.size]).to.deep.equal([0, 0, 0, 1]);
      expect([sources.size, webhooks.size, savedSearches.size]).to.deep.equal([3, 1, 2]);
      expect([...services.values()][0]).to.include({ numReplicas: 3, minReplicaMemoryGb: 8 });
    });
  });
}

interface Life {
  readonly name: string;
  readonly created: number;
  readonly config?: { readonly [key: string]: string };
  readonly secrets?: { readonly [key: string]: string };
  /** What an update says about an object for which it waits. */
  readonly said?: RegExp;
}

const lives: readonly Life[] = [
  { name: "overview", created: 1 },
  { name: "roles", created: 4 },
  {
    ...{ name: "service", created: 7, config: { protected: "false" } },
    said: /service [0-9a-f-]{36} is provisioning/,
  },
  {
    ...{ name: "pipes", created: 4, said: /pipe [0-9a-f-]{36} is Running/ },
    secrets: {
      ...{ kafkaPassword: "secret of kafka", registryPassword: "secret of registry" },
      postgresPassword: "secret of postgres",
    },
  },
];

for (const { name, created, config = {}, secrets = {}, said = /created/ } of lives)
  describe(`The example program ${name}`, () => {
    const fixture = useFixture({
      ...{ host: "dynamic", projectFile: projectIn(join(examples, name)), settings: {} },
      sandbox: { dialect: "clickhouse", stateMilliseconds: 300 },
    });
    const sizes = () => {
      const { services, pipes, keys, roles, dashboards, queryEndpoints } = fixture.sandbox.store;
      return [services, pipes, keys, roles, dashboards, queryEndpoints].map(({ size }) => size);
    };

    let sizesBefore: number[];

    it(`the example program ${name} creates its objects without a warning`, async () => {
      const { dialect, ...settings }: Record<string, string> = settingsOf(fixture.sandbox);
      Object.assign(fixture.environment, settingVariables({ ...settings, requestsPerSecond: "1000" }));
      for (const [key, value] of Object.entries(config)) await fixture.config(key, value);
      for (const [key, value] of Object.entries(secrets)) await fixture.config(key, value, true);
      sizesBefore = sizes();
      const { summary, output } = await fixture.up();
      expect(summary).to.deep.equal({ create: created });
      expect(output).to.match(said).and.to.not.include("warning");
    });

    it(`the example program ${name} leaves no secret readable`, async () => {
      const { password = [] } = await fixture.outputs({ showSecrets: true });
      await expectNoSecrets(fixture, ...Object.values(secrets), ...[password].flat());
    });

    it(`the example program ${name} shows no drift`, async () => {
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    });

    it(`destroying the example program ${name} deletes all objects that it created`, async () => {
      await fixture.destroy();
      expect(sizes()).to.deep.equal(sizesBefore);
    });
  });
