import { expect } from "chai";
import { seed } from "../../seed";
import { loadProvider, type Patch, type Provider } from "../provider";
import { Random } from "../random";
import { VirtualTime } from "../virtualTime";
import { deliverBy } from "../world/transport";
import { drawnHistory } from "./history";
import { Broken, World } from "./world";

/** `SIMULATIONS=10000` plays 1,000. */
const histories = Math.ceil(Number(process.env.SIMULATIONS ?? 2000) / 10);
const firstSeed = seed * 1_000_000;
const longest = 24 * 60 * 60_000;

/** Providers that break a promise on purpose. */
const breakages: { readonly [title: string]: readonly Patch[] } = {
  "writes the list that it read a minute ago": [
    {
      module: "resources/roleAssignment/actors",
      text: '(await session.call("getRole", place)) as Data',
      instead:
        '(await session.lists.find("listRoles", scope, this.roleId, writes === 0 ? "creation" : "now")) as Data',
    },
    { module: "lifecycle/lists", text: 'if (method !== "DELETE") this.#kept.creation.clear();', instead: "" },
  ],
  "writes only the actors that it declares": [
    {
      module: "resources/roleAssignment/actors",
      text: "const wanted = withChanges(present, [",
      instead: "const wanted = withChanges(writes === 0 ? [] : present, [",
    },
  ],
  "looks at nothing after a write": [
    {
      module: "resources/roleAssignment/actors",
      text: "await session.interruption.pause(settlingMilliseconds);",
      instead: "if (!doubt) return { role, before };",
    },
  ],
  "sends a list however long it has waited": [
    {
      module: "resources/roleAssignment/actors",
      text: "if (isSent || Date.now() - readAt > longestAge) throw new NotSent();",
      instead: "",
    },
    {
      module: "api/rateLimiter",
      text: "if (goesFirst) this.#waiting.unshift(caller);\n        else ",
      instead: "",
    },
  ],
};

describe("Simulated histories of two stacks and a page that assign one role", function () {
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
    const random = new Random("time of roles", at);
    time.begin();
    try {
      await time.run(
        () => new World(provider, new Random("network of roles", at)).play(drawnHistory(at)),
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
