import type { Held, OrphansLook } from "../../promises/account";
import { nameOfHeld } from "../../promises/held";
import { ofKind } from "../../promises/kinds";
import type { Store } from "../../promises/store";
import type { OrphansStep } from "../history";
import { type Instance, instances } from "../program";
import type { Provider } from "../provider";
import { adoptable } from "../world/contents";
import type { Network } from "../world/network";
import { credentialsOf } from "../world/signers";
import type { Kept } from "./engine";
import { settingsOf, signerOf } from "./processes";
import { encrypted } from "./secrets";
import type { Stack } from "./stack";

export interface OrphansRun extends OrphansLook {
  readonly step: OrphansStep;
  readonly startedAt: number;
  readonly endedAt: number;
  /** The orphans that `pipestack orphans` printed as JSON; undefined if the command failed. */
  readonly found?: readonly FoundOrphan[];
}

export interface FoundOrphan {
  readonly type: string;
  readonly id: string;
  readonly kept: string | null;
  readonly deleted: boolean;
}

const stateFile = "state.json";

/**
 * The state file of a third stack that is never updated. It contains the shared objects to which the other stacks' programs
 * refer, so that `pipestack orphans` does not report them.
 */
const sharedState = "shared state.json";
const sharedTypes = ["Webhook", "SavedSearch", "Source", "Connection"];

/** Simulates a person who runs `pipestack orphans` with the states of all stacks and the credentials of stack a. */
export class Orphans {
  readonly #shared: readonly Held[];

  constructor(
    private readonly provider: Provider,
    private readonly network: Network,
    private readonly settings: { readonly [name: string]: unknown },
    store: Store,
  ) {
    const ids: readonly string[] = Object.values(adoptable);
    this.#shared = store.commits.flatMap(({ step, kind, id }) => {
      const { type } = ofKind(kind);
      return step === -1 && sharedTypes.includes(type) && !ids.includes(id) ? [{ type, id }] : [];
    });
  }

  async run(step: OrphansStep, stacks: readonly Stack[]): Promise<OrphansRun> {
    const { terminal, orphans } = this.provider;
    const connection = this.network.connect({ actor: "orphans", step: step.number });
    const startedAt = Date.now();
    const heldNow = () =>
      new Set([...this.#shared, ...stacks.flatMap((stack) => stack.held())].map(nameOfHeld));
    const before = heldNow();
    const messages: string[] = [];
    const printed: string[] = [];
    terminal.environment = environmentOf(settingsOf(this.settings, "a", connection));
    terminal.files = (name) =>
      name === sharedState
        ? exportOfShared(this.#shared)
        : exportOf(stacks.filter(({ actor }) => name === `${actor} ${stateFile}`));
    terminal.print = (text) => printed.push(text);
    terminal.note = (text) => messages.push(this.network.withoutDomain(text));
    try {
      const state = [...stacks.map(({ actor }) => `${actor} ${stateFile}`), sharedState];
      const removal = step.deletes ? { delete: true, yes: true } : {};
      await orphans.reportOrphans({ state, json: true, ...removal });
    } catch (error) {
      messages.push(this.network.withoutDomain((error as Error).message));
    }
    const [json] = printed;
    const found = json === undefined ? undefined : (JSON.parse(json).orphans as FoundOrphan[]);
    const after = heldNow();
    const held = new Set([...before].filter((id) => after.has(id)));
    return { step, startedAt, endedAt: Date.now(), messages, held, found };
  }
}

function environmentOf(settings: { readonly [name: string]: unknown }): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      `PIPESTACK_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`,
      String(value),
    ]),
  );
}

const urnOf = (type: string, name: string) => `urn:pulumi:stack::project::${type}::${name}`;
const resourceOf = (name: string, type: string, instance: Instance = "default") => {
  const token = `${instance === "plugin" ? "pipestack:index" : "pulumi-nodejs:dynamic/pipestack"}:${type}`;
  return { urn: urnOf(token, name), type: token };
};

/** Makes the entry of a state file for a provider instance. */
function providerOf(actor: "a" | "b", instance: Instance) {
  const type = `pulumi:providers:${instance === "plugin" ? "pipestack" : "pulumi-nodejs"}`;
  const names = { default: "pipestack:keyId", plugin: "keyId" } as { readonly [of in Instance]?: string };
  const { keyId } = credentialsOf(signerOf(actor, instance));
  return {
    urn: urnOf(type, instance),
    type,
    inputs: { [names[instance] ?? "pipestack-provider:keyId"]: keyId },
  };
}

function exportOfShared(shared: readonly Held[]): string {
  const resources = shared.map(({ type, id }) => ({ ...resourceOf(id, type), id }));
  return JSON.stringify({ version: 3, deployment: { resources } });
}

/** Makes one state file, in the form of `pulumi stack export`, with the present resources of all given simulated stacks. */
function exportOf(stacks: readonly Stack[]): string {
  const exported = (name: string, { type, id, marked, instance }: Kept) => ({
    ...resourceOf(name, type, instance),
    id,
    ...(encrypted(marked) as Kept["marked"]),
  });
  const all = stacks.flatMap(({ actor, state }) => [
    ...instances.map((instance) => providerOf(actor, instance)),
    ...[...state.resources].map(([name, kept]) => exported(name, kept)),
    ...state.doomed.map(({ name, kept }) => ({ ...exported(name, kept), delete: true })),
  ]);
  const pending = stacks.flatMap(({ state }) =>
    [...state.pending].map(([name, type]) => ({ type: "creating", resource: resourceOf(name, type) })),
  );
  return JSON.stringify({ version: 3, deployment: { resources: all, pending_operations: pending } });
}
