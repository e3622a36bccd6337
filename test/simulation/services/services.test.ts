import { expect } from "chai";
import { seed } from "../../seed";
import { loadProvider, type Patch, type Provider } from "../provider";
import { Random } from "../random";
import { VirtualTime } from "../virtualTime";
import { deliverBy } from "../world/transport";
import { drawnHistory, drawnProgram } from "./history";
import { Broken, World } from "./world";

/** A twentieth of the number of histories of other simulations: `SIMULATIONS=100000` plays 5,000. */
const histories = Math.ceil(Number(process.env.SIMULATIONS ?? 2000) / 20);
const firstSeed = seed * 1_000_000;
const longest = 200 * 24 * 60 * 60_000;

/** Providers that break a promise on purpose. */
const breakages: { readonly [title: string]: readonly Patch[] } = {
  "repeats a create whose answer is lost": [
    {
      module: "api/operations",
      text: '({ ...place, method: "POST", response: Identified, idempotent: false }) as const',
      instead: '({ ...place, method: "POST", response: Identified, idempotent: true }) as const',
    },
  ],
  "believes the answer to a create, and waits for nothing": [
    {
      module: "lifecycle/way",
      text: "return resource.waiting ? awaited(resource, created, inputs, context) : created;",
      instead: "return created;",
    },
  ],
  "believes the old state that an answer shows": [
    {
      module: "resources/service/serviceWay",
      text: "if (goal) await awaitGoal(service, id, goal, minutes, context);",
      instead: "",
    },
  ],
  "deletes services that are protected": [
    {
      module: "resources/service/serviceDeletion",
      text: /if \(state\.deletionProtection !== false && [^\n]+ refuse\(\);/,
      instead: "",
    },
    {
      module: "resources/service/serviceDeletion",
      text: "if (isProtected(state, own)) refuse();",
      instead: "",
    },
  ],
};

describe("Simulated histories of services", function () {
  this.timeout(0);
  let time: VirtualTime;
  let whole: Provider;

  before(() => {
    time = new VirtualTime();
    whole = loadProvider();
  });
  after(() => {
    deliverBy(undefined);
    time.end();
  });

  /** The promise that a provider breaks in the history of a seed. */
  async function brokenIn(at: number, provider: Provider): Promise<string | undefined> {
    const random = new Random("time of services", at);
    time.begin();
    try {
      const last = drawnProgram(new Random("last program of services", at));
      await time.run(
        () => new World(provider).play(drawnHistory(at), last),
        () => random.next(),
        longest,
      );
      return undefined;
    } catch (error) {
      if (error instanceof Broken) return error.message;
      throw new Error(`seed ${at}: ${(error as Error).stack}`);
    }
  }

  it(`${histories} histories from seed ${firstSeed} on break no promise`, async () => {
    for (let at = firstSeed; at < firstSeed + histories; at++)
      expect(await brokenIn(at, whole), `seed ${at}: ${JSON.stringify(drawnHistory(at))}`).to.equal(
        undefined,
      );
  });

  for (const [title, patches] of Object.entries(breakages))
    it(`finds a provider that ${title}`, async () => {
      const provider = loadProvider(patches);
      for (let at = 1_000_000; at < 1_000_300; at++) if (await brokenIn(at, provider)) return;
      expect.fail("300 histories do not show it");
    });
});
