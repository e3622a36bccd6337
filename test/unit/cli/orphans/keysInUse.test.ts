import { expect } from "chai";
import { createSandbox, type Fault, type Sandbox } from "../../../../sandbox/index";
import { send, settingsOf } from "../../../serviceContents";
import { deleting, resource, useOrphansFixture } from "./orphansFixture";

/** Faults after which a read does not show whether an object exists. */
const silent = [
  ...["404-gateway", "404-framework", "404-envelope", "403", "403-firewall", "500", "502"],
  ...["not-json", "empty-object", "null-data", "cut-short", "other-shape", "redirect"],
] as const;

describe("API keys in use, in pipestack orphans", () => {
  const fixture = useOrphansFixture();
  let product: Sandbox;

  before(async () => {
    product = await createSandbox({ dialect: "clickhouse", apis: "management" });
  });
  beforeEach(() => product.reset());
  afterEach(() => product.faults.clear());
  after(() => product.close());

  const newKey = async (name: string) => {
    const body = { name, roles: ["developer"] };
    return (await send<{ key: { id: string } }>(product, "POST", "/keys", body)).key.id;
  };

  interface Situation {
    readonly faults?: readonly Fault[];
    readonly change?: (store: Sandbox["store"], secondServiceId: string) => unknown;
    /** The resource type of an object of the second service, if the Pulumi state contains one. */
    readonly held?: string;
  }

  /**
   * Runs `pipestack orphans --delete` with three API keys: a used one, an unused one and one in the Pulumi state. Returns why
   * the used key is kept, and which of the used and the unused key exist afterwards.
   */
  async function outcome({ faults = [], change, held }: Situation = {}) {
    const [used, ours, unused] = [await newKey("used"), await newKey("ours"), await newKey("unused")];
    const { secondServiceId: serviceId } = product.credentials;
    product.store.queryEndpoints.set("e2", {
      ...{ id: "e2", serviceId, roles: [], openApiKeys: [used], allowedOrigins: "" },
    });
    await product.faults.set([...faults]);
    const stop = product.watch(({ stage, path }) => {
      if (stage === "received" && path.endsWith("/services")) change?.(product.store, serviceId);
    });
    const settings = {
      ...{ ...settingsOf(product), dialect: "clickhouse", requestsPerSecond: "1000", maxRetries: "0" },
      accessToken: "",
    };
    const states = [resource("ApiKey", ours), ...(held ? [resource(held, serviceId, { serviceId })] : [])];
    const options = { only: ["ApiKey" as const], ...deleting };
    const { report: found } = await fixture.report(states, options, settings).finally(stop);
    const kept = found.orphans.find(({ id }) => id === used)?.kept ?? "";
    return { kept, hasUsed: product.store.keys.has(used), hasUnused: product.store.keys.has(unused) };
  }

  it("pipestack orphans keeps only the key that a query endpoint accepts", async () => {
    expect(await outcome()).to.deep.equal({
      kept: `query endpoint ${product.credentials.secondServiceId} uses it and stays`,
      ...{ hasUsed: true, hasUnused: false },
    });
  });

  it("a key can be deleted if the API itself says that no service has a query endpoint", async () => {
    const change: Situation["change"] = ({ queryEndpoints }) => queryEndpoints.delete("e2");
    expect(await outcome({ change })).to.include({ kept: "", hasUsed: false });
  });

  const ofOther = (kind: Fault["kind"]): Fault => ({ kind, operation: "getQueryEndpoint", nth: 2 });
  const doubtful: { [what: string]: Situation } = {
    "the other endpoint is shown without its keys": {
      change: ({ queryEndpoints }) => Reflect.deleteProperty(queryEndpoints.get("e2") ?? {}, "openApiKeys"),
    },
    "the list of services is empty": { change: ({ services }) => services.clear() },
    "the list of services lacks the service of the settings": {
      change: ({ services }) => services.delete(product.credentials.serviceId),
    },
    "the list of services has no ids": { faults: [{ kind: "no-id", operation: "listServices" }] },
    "the list of services lacks one that a given state names": {
      change: ({ services }, secondServiceId) => services.delete(secondServiceId),
      held: "Dashboard",
    },
    "a service shows no endpoint and a given state holds it": {
      change: ({ queryEndpoints }) => queryEndpoints.delete("e2"),
      held: "QueryEndpoint",
    },
    "the service of the settings has no route for its endpoint": {
      change: ({ queryEndpoints }) => queryEndpoints.delete("e2"),
      faults: [{ kind: "404-gateway", operation: "getQueryEndpoint", nth: 1 }],
    },
    ...Object.fromEntries(
      silent.flatMap((kind): [string, Situation][] => [
        [`the other endpoint answers with the fault ${kind}`, { faults: [ofOther(kind)] }],
        [
          `the list of services answers with the fault ${kind}`,
          { faults: [{ kind, operation: "listServices" }] },
        ],
      ]),
    ),
  };
  it("pipestack orphans keeps every key if a list of query API endpoints shows no apiKeyIds", async () => {
    const { store, credentials } = product;
    const endpoint = { id: "q1", serviceId: credentials.serviceId, name: "q", sql: "SELECT 1", roles: [] };
    const change: Situation["change"] = ({ queryEndpoints }) => queryEndpoints.delete("e2");
    (store.queryApiEndpoints as unknown as Map<string, object>).set("q1", endpoint);
    const { kept, hasUsed } = await outcome({ change });
    expect(hasUsed).to.equal(true);
    expect(kept).to.equal(
      "cannot tell which query API endpoints use it: the query API endpoint q1 shows no apiKeyIds",
    );
  });

  for (const [what, situation] of Object.entries(doubtful))
    it(`pipestack orphans keeps a key whose users are unknown, if ${what}`, async () => {
      const { kept, hasUsed } = await outcome(situation);
      expect(hasUsed).to.equal(true);
      expect(kept).to.match(/^cannot tell which query endpoints use it: ./);
    });
});
