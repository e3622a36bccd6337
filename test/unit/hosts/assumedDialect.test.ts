import { expect } from "chai";
import { captureWarnings, hostWith, withoutEnvironment } from "./dynamic/hostProcess";
import { startPlugin } from "./plugin/engine";

const place = {
  organizationId: "3f1c6a52-7d0e-4b8f-9a41-5c2e8d7b6f10",
  serviceId: "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59",
};
const webhook = { name: "w", service: "generic", url: "https://example.com" };
const told =
  "the setting dialect is clickhouse, since neither baseUrl nor obsBaseUrl is set; set it to confirm that";

/** For each host, what a run says that checks two resources of the program with the given settings. */
const hosts: { readonly [host: string]: (settings: Record<string, string>) => Promise<readonly string[]> } = {
  async "the dynamic host"(settings) {
    const { lines, restore } = captureWarnings();
    try {
      const host = hostWith(settings);
      for (const name of ["a", "b"]) await host.Webhook.check({}, { ...webhook, name });
      return lines;
    } finally {
      restore();
    }
  },
  async "the plugin"(settings) {
    const plugin = await startPlugin();
    try {
      await plugin.configure(settings);
      for (const name of ["a", "b"]) await plugin.resource("Webhook", name).check({ ...webhook, name });
      return plugin.log.map(([, message]) => `pipestack: ${message}`);
    } finally {
      plugin.close();
    }
  },
};

describe("A run without an address and without a dialect", () => {
  let restore: () => void;
  before(() => {
    restore = withoutEnvironment();
  });
  after(() => restore());

  for (const [name, run] of Object.entries(hosts))
    it(`${name} says once in a run that the dialect is clickhouse, and nothing if an address or the dialect is set`, async () => {
      expect(await run(place)).to.deep.equal([`pipestack: ${told}`]);
      expect(await run({ ...place, dialect: "clickhouse" })).to.deep.equal([]);
      expect(await run({ ...place, baseUrl: "http://127.0.0.1:1" })).to.deep.equal([]);
      expect(await run({ ...place, obsBaseUrl: "http://127.0.0.1:1" })).to.deep.equal([]);
    });
});
