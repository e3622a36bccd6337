import { histories } from "../histories";
import { testHistories } from "../ownHistories";
import type { Patch } from "../provider";
import { Random } from "../random";
import { drawnHistory, drawnProgram } from "./history";
import { World } from "./world";

/**
 * Patches that break the provider on purpose, to test that the simulated histories find the fault. The key of each is a phrase
 * for the broken behaviour.
 */
const breakages: { readonly [title: string]: readonly Patch[] } = {
  "repeats a create whose answer is lost": [
    {
      module: "api/operation",
      text: '({ ...place, method: "POST", response: Identified, idempotent: false }) as const',
      instead: '({ ...place, method: "POST", response: Identified, idempotent: true }) as const',
    },
  ],
  "gives up at once on a create whose answer is lost": [
    {
      module: "lifecycle/createObject",
      text: "longestSearch: Math.min(graceMilliseconds,",
      instead: "longestSearch: Math.min(0,",
    },
  ],
  "takes a service that reads show late for deleted": [
    {
      module: "lifecycle/waiting",
      text: "...{ state: known,",
      instead: "...{ state: {},",
    },
  ],
  "believes the answer to a create, and waits for nothing": [
    {
      module: "lifecycle/createObject",
      text: "return resource.waiting ? awaited(resource, created, inputs, context) : created;",
      instead: "return created;",
    },
  ],
  "believes the old state that an answer shows": [
    {
      module: "resources/service/serviceSteps",
      text: "isAwaited,",
      instead: "false,",
    },
  ],
  "takes a list that lacks or has other entries for the service's form": [
    {
      module: "lifecycle/merge",
      text: "return missing.length === 0 && foreign.length === 0;",
      instead: "return true;",
    },
  ],
  "forgets entries that the service did not remove": [
    {
      module: "lifecycle/state",
      text: "...(owed && Object.keys(owed).length > 0 ? { owed } : {}),",
      instead: "",
    },
  ],
  "does not show in a preview that a removal is owed": [
    {
      module: "lifecycle/diff",
      text: "for (const path of Object.keys(owedIn(state)))",
      instead: "for (const path of [])",
    },
  ],
  "compares addresses as texts": [
    {
      module: "values/compare",
      text: 'if (comparison === "network" && typeof value === "string") return networkOf(value);',
      instead: "",
    },
  ],
  "removes the addresses of others": [
    {
      module: "resources/access/ownedLists",
      text: "ownsAll ? others : entriesAmong(list, others, ours)",
      instead: "others",
    },
  ],
  "replaces a service for a line that says what it is anyway": [
    {
      module: "lifecycle/replacement",
      text: 'if (isAbsent(right)) return "dropped";',
      instead: 'if (isAbsent(right)) return "differs";',
    },
  ],
  "makes a second service where the engine replaces one on its own": [
    {
      module: "resources/service/serviceCreation",
      text: "if (inputs.allowSameName !== true) await refuseSameName(service, body, context);",
      instead: "",
    },
  ],
  "makes a second service where replaceOnChanges renames one": [
    {
      module: "resources/protection/protection",
      text: "if (changed.isProtected)",
      instead: "if (false)",
    },
  ],
  "deletes services that are protected": [
    {
      module: "resources/protection/protection",
      text: 'if (!this.covers(state, isUnfinished ? await shownState() : "")) return;',
      instead: "return;",
    },
  ],
};

testHistories({
  title: "Simulated histories of services",
  noun: "services",
  /**
   * The simulated histories of services are slow, so a twentieth of the usual number is played: `SIMULATIONS=100000` plays
   * 5,000.
   */
  count: Math.ceil(histories / 20),
  longest: 200 * 24 * 60 * 60_000,
  drawn: drawnHistory,
  play: (provider, history, at) =>
    new World(provider).play(history, drawnProgram(new Random("last program of services", at))),
  breakages,
});
