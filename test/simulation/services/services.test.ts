import { type Breakage, breakagesOf } from "../breakages";
import { testHistories } from "../ownHistories";
import { drawnHistory } from "./history";
import { ServicesWorld } from "./world";

/** Patches that break the provider on purpose, to test that the simulated histories find the fault. */
const breakages: readonly Breakage[] = [
  ...breakagesOf("api/operation", {
    "repeats a create whose answer is lost": [
      'method: "POST", idempotent: false',
      'method: "POST", idempotent: true',
    ],
  }),
  ...breakagesOf("lifecycle/createObject", {
    "gives up at once on a create whose answer is lost": [
      "longestSearch: Math.min(graceMilliseconds,",
      "longestSearch: Math.min(0,",
    ],
    "believes the answer to a create, and waits for nothing": [
      "return resource.waiting ? awaited(resource, created, inputs, context) : created;",
      "return created;",
    ],
  }),
  ...breakagesOf("lifecycle/waiting", {
    "takes a service that reads show late for deleted": ["...{ state: known,", "...{ state: {},"],
  }),
  ...breakagesOf("resources/service/serviceSteps", {
    "believes the old state that an answer shows": ["isAwaited,", "false,"],
  }),
  ...breakagesOf("lifecycle/merge", {
    "takes a list that lacks or has other entries for the service's form": [
      "return missing.length === 0 && foreign.length === 0;",
      "return true;",
    ],
  }),
  ...breakagesOf("lifecycle/state", {
    "forgets entries that the service did not remove": [
      "doubted, owed, undeclared, live, ...lasting",
      "doubted, undeclared, live, ...lasting",
    ],
  }),
  ...breakagesOf("lifecycle/diff", {
    "does not show in a preview that a removal is owed": [
      "for (const path of Object.keys(owedIn(state)))",
      "for (const path of [])",
    ],
  }),
  ...breakagesOf("values/compare", {
    "compares addresses as texts": [
      'if (comparison === "network" && typeof value === "string") return networkOf(value);',
      "",
    ],
  }),
  ...breakagesOf("resources/access/ownedLists", {
    "removes the addresses of others": ["ownsAll ? others : entriesAmong(list, others, ours)", "others"],
  }),
  ...breakagesOf("lifecycle/replacement", {
    "replaces a service for a line that says what it is anyway": [
      'if (isAbsent(right)) return "dropped";',
      'if (isAbsent(right)) return "differs";',
    ],
  }),
  ...breakagesOf("resources/service/serviceCreation", {
    "makes a second service where the engine replaces one on its own": [
      "if (inputs.allowSameName !== true) await refuseSameName(service, body, context);",
      "",
    ],
  }),
  ...breakagesOf("resources/protection/protection", {
    "makes a second service where replaceOnChanges renames one": ["if (changed.isProtected)", "if (false)"],
    "deletes services that are protected": [
      'if (!this.covers(state, isUnfinished ? await shownState() : "")) return;',
      "return;",
    ],
  }),
];

testHistories({
  noun: "services",
  oneOf: 20,
  drawn: drawnHistory,
  worldOf: (provider, seed) => new ServicesWorld(provider, seed),
  breakages,
});
