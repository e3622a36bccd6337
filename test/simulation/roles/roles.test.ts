import { type Breakage, breakagesOf, together } from "../breakages";
import { testHistories } from "../ownHistories";
import { drawnHistory } from "./history";
import { RolesWorld } from "./world";

/** Patches that break the provider on purpose, to test that the simulated histories find the fault. */
const breakages: readonly Breakage[] = [
  together(
    "writes the list that it read a minute ago",
    [
      "resources/roleAssignment/actors",
      'await session.call("getRole", place, undefined, onRead)',
      '(await session.lists.find("listRoles", scope, this.roleId, writes === 0 ? "creation" : "now")) as PropertyMap',
    ],
    ["lifecycle/lists", 'if (method !== "DELETE") this.#kept.creation.clear();', ""],
  ),
  ...breakagesOf("resources/roleAssignment/actors", {
    "writes only the actors that it declares": [
      "const wanted = withChanges(present, [",
      "const wanted = withChanges(writes === 0 ? [] : present, [",
    ],
    "looks at nothing after a write": [
      "await session.interruption.pause(settlingMilliseconds);",
      "if (!doubt) return { role, before };",
    ],
  }),
  together(
    "sends a list however long it has waited",
    [
      "resources/roleAssignment/actors",
      "if (isSent || Date.now() - readAt > longestAge) throw new NotSent();",
      "",
    ],
    ["api/rateLimiter", "enqueue(this.#waiting, caller);", "this.#waiting.push(caller);"],
  ),
];

testHistories({
  noun: "roles",
  oneOf: 10,
  drawn: drawnHistory,
  worldOf: (...args) => new RolesWorld(...args),
  breakages,
});
