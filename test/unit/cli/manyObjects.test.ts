import { expect } from "chai";
import { settingVariables } from "../../pipestackCommand";
import { selected } from "../../seed";
import { settingsOf } from "../../serviceContents";
import { examples } from "../resources/examples";
import { runImport } from "./import/importRun";
import { runHere } from "./runHere";
import { useServiceFixture } from "./serviceFixture";

type Item = { id: string; name?: string };

/**
 * The types of objects of which ClickHouse Cloud can have many. Their lists have cursors, have offsets without a total, or come
 * as a whole.
 */
const kinds = selected(
  [
    "ApiKey",
    "QueryApiEndpoint",
    "SavedQuery",
    "Alert",
    "Webhook",
    "SavedSearch",
    "Source",
    "Dashboard",
  ] as const,
  2,
).map((type) => [type, examples[type]] as const);

const many = 1200;

describe("Commands with more than 1,200 objects of each type", function () {
  this.timeout(120_000);
  const fixture = useServiceFixture({ dialect: "clickhouse" });
  let counts: { [type: string]: number } = {};

  const recordsWith = (id: string) =>
    Object.values(fixture.sandbox.store).find((map) => map instanceof Map && map.has(id)) as Map<
      string,
      Item
    >;
  const idAt = (id: string, index: number) =>
    `${id.slice(0, 9)}${index.toString(16).padStart(4, "0")}${id.slice(13)}`;
  const service = () => ({
    sandbox: fixture.sandbox,
    webhookId: [...fixture.sandbox.store.webhooks.keys()][0] ?? "",
  });

  beforeEach(() => {
    counts = {};
    for (const [type, { creatable }] of kinds) {
      if (!creatable) throw new Error(`${type} is not created`);
      creatable.add(service() as never, creatable.id);
      const records = recordsWith(creatable.id);
      const first = records.get(creatable.id) as Item;
      // The tile of the example program has no source, so ClickHouse Cloud would refuse it. The test's dashboards have no
      // tiles.
      if (type === "Dashboard") Object.assign(first, { tiles: [] });
      for (let index = 0; records.size < many; index++)
        records.set(idAt(creatable.id, index), {
          ...first,
          id: idAt(creatable.id, index),
          ...(first.name !== undefined && { name: `${first.name} ${index}` }),
        });
      counts[type] = records.size;
    }
  });

  const settings = () => ({
    ...settingsOf(fixture.sandbox),
    dialect: "clickhouse",
    requestsPerSecond: "1000",
  });

  it("pipestack doctor counts more than 1,200 objects of each type", async () => {
    const { stdout } = await runHere(["doctor", "--json"], fixture.folder, settingVariables(settings()));
    const { objects } = JSON.parse(stdout) as { objects: { name: string; count: number }[] };
    const found = Object.fromEntries(objects.map(({ name, count }) => [name, count]));
    expect(found).to.include(counts);
  });

  it("pipestack import writes more than 1,200 objects of each type, without one that was deleted by hand", async () => {
    const deleted = kinds.map(([, { creatable }]) => idAt(creatable?.id ?? "", 1100));
    for (const id of deleted) recordsWith(id).delete(id);
    const imported = await runImport(fixture, [], settings());
    const found: { [type: string]: number } = {};
    for (const { type } of imported.resources) {
      const name = type.split(":").pop() ?? "";
      found[name] = (found[name] ?? 0) + 1;
    }
    expect(imported.resources.filter(({ id }) => deleted.includes(id))).to.deep.equal([]);
    const left = kinds.map(([type]) => [type, (counts[type] ?? 0) - (type === "ApiKey" ? 2 : 1)] as const);
    // `pipestack import` leaves out the deleted object of each type and, of the API keys, also the one that signs its requests.
    expect(found).to.include(Object.fromEntries(left));
  });
});
