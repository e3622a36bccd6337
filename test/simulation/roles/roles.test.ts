import { histories } from "../histories";
import { testHistories } from "../ownHistories";
import type { Patch } from "../provider";
import { Random } from "../random";
import { drawnHistory } from "./history";
import { World } from "./world";

/**
 * Patches that break the provider on purpose, to test that the simulated histories find the fault. The key of each is a phrase
 * for the broken behaviour.
 */
const breakages: { readonly [title: string]: readonly Patch[] } = {
  "writes the list that it read a minute ago": [
    {
      module: "resources/roleAssignment/actors",
      text: 'await session.call("getRole", place)',
      instead:
        '(await session.lists.find("listRoles", scope, this.roleId, writes === 0 ? "creation" : "now")) as PropertyMap',
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

testHistories({
  title: "Simulated histories of two stacks and a page that assign one role",
  noun: "roles",
  /** A tenth of the usual number of simulated histories of roles is played: `SIMULATIONS=10000` plays 1,000. */
  count: Math.ceil(histories / 10),
  longest: 24 * 60 * 60_000,
  drawn: drawnHistory,
  play: (provider, history, at) => new World(provider, new Random("network of roles", at)).play(history),
  breakages,
});
