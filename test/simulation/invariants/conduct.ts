import type { Run } from "../actors/stack";
import type { Account } from "../simulate";
import type { Data, Store } from "../world/store";
import { type Invariant, isCollected, type Violation } from "./violation";

/** Every history ends, and no call takes longer than all its repetitions and waits may. */
export const ends: Invariant = ({ failure }) =>
  failure ? [{ promise: "ends", what: failure.name === "Hang" ? failure.message : `${failure.stack}` }] : [];

/**
 * A command ends soon: each request has its time, each fault costs at most a limit of time and the longest wait for each
 * repetition, and the limits of the product are waited out.
 */
export const endsInTime: Invariant = ({ runs, wire, history }) =>
  runs.flatMap(({ step, startedAt, endedAt, requests }): Violation[] => {
    const faults = wire.filter(({ caller, fault }) => caller.step === step.number && fault !== undefined);
    const most = 60_000 + requests * secondsForRequest * 1000 + faults.length * secondsForFault * 1000;
    if (endedAt - startedAt <= most) return [];
    const what = `${step.command} of stack ${step.actor} took ${(endedAt - startedAt) / 1000} s for ${requests} requests with ${faults.length} faults (${history.maxRetries} retries)`;
    return [{ promise: "ends in time", what, step: step.number }];
  });

/** The product takes one request a second; and an answer may show the old values for some seconds. */
const secondsForRequest = 2;

/** The time limit of a call and the longest wait that a server may ask for. */
const secondsForFault = 150;

/** No process exceeds the known limits of a service. After a 429 it waits as the server says, however many came before. */
export const keepsTheLimits: Invariant = ({ wire, history }) => {
  if (history.behaviour.dialect !== "clickhouse") return [];
  const times = new Map<string, number[]>();
  return wire.flatMap(({ process, api, at, caller, answer }): Violation[] => {
    if (answer?.status === 429) return [];
    const key = `${process} ${api}`;
    const own = times.get(key) ?? [];
    times.set(key, own);
    own.push(at);
    const { requests, seconds } = limits[api];
    const first = own.at(-1 - requests);
    if (first === undefined || at - first >= seconds * 1000) return [];
    const what = `a process sent ${requests + 1} requests to the ${api} API within ${(at - first) / 1000} s`;
    return [{ promise: "keeps the limits", what, step: caller.step }];
  });
};

/** As the product counts them. */
const limits = {
  management: { requests: 10, seconds: 10 },
  observability: { requests: 100, seconds: 60 },
};

/** Longer messages are not read; a stack trace or a text of JavaScript helps nobody. */
export const speaksPlainly: Invariant = ({ runs, orphans }) =>
  [...runs, ...orphans].flatMap(({ step, messages }) =>
    messages
      .filter(
        (message) =>
          message.split("\n").length > 2 ||
          /TypeError|undefined is not|Cannot read prop|\[object Object\]|\bNaN\b|\n\s+at /.test(message),
      )
      .map((message) => ({ promise: "speaks plainly", what: `it said: ${message}`, step: step.number })),
  );

/** The secret of a key that was created is in the state, or the creation failed. */
export const hasTheSecret: Invariant = ({ stacks, runs, store }) =>
  stacks.flatMap(({ actor, state }) =>
    [...state.resources].flatMap(([name, { type, id, outputs }]): Violation[] => {
      if (type !== "ApiKey" || store.creationOf("keys", id)?.actor !== actor) return [];
      const wasAdopted = runs.some(({ programs }) =>
        programs.some((program) => program.get(name)?.args.adoptId),
      );
      const secret = store.commits.find((commit) => commit.id === id.toLowerCase() && commit.after)?.after
        ?.keySecret;
      if (wasAdopted || secret === undefined || outputs.keySecret === secret) return [];
      return [
        { promise: "has the secret", what: `${name} of stack ${actor} has not the secret of key ${id}` },
      ];
    }),
  );

/** A run makes the requests that it needs, a few more for each fault, and no other. */
export const asksNoMoreThanNeeded: Invariant = (account) =>
  account.runs.flatMap((run) => {
    if (run.step.targets || run.wasKilled) return [];
    const faults = account.wire.filter(
      ({ caller, fault }) => caller.step === run.step.number && fault !== undefined,
    ).length;
    const most = Math.ceil(neededBy(run, account) * 1.2) + faults * repeatsOf(account);
    if (run.requests <= most) return [];
    const what = `${run.step.command} of stack ${run.step.actor} made ${run.requests} requests, and ${most.toFixed(0)} are enough (${faults} faults)`;
    return [{ promise: "asks no more than needed", what, step: run.step.number }];
  });

/** A read costs a list for each collection, a write itself and a look; looks are shared by a collection. */
function neededBy(run: Run, { history, store }: Account): number {
  const { outcome, before, after, step } = run;
  const collections = (types: readonly string[]) => new Set(types).size;
  // Each process of a provider instance has its own lists.
  const processes = Math.max(1, collections([...before, ...after].map(([, { instance }]) => instance)));
  const read = step.command === "refresh" || step.command === "drift" || step.command === "up --refresh";
  const types = [...before.values()].map(({ type, instance }) => `${type} ${instance}`);
  const pages = history.behaviour.page < 1000 ? 2 + types.length : 1;
  const writes = outcome.operations.filter(({ op }) => op !== "read" && op !== "same");
  const scalings = writes.filter(({ type }) => !isCollected(type)).length;
  return (
    (read ? collections(types) * pages : 0) +
    // What a list does not show yet is asked for by itself.
    (read && history.behaviour.listLag > 0 ? types.length : 0) +
    (read ? withOtherTiles(run, store) : 0) +
    collections(writes.map(({ type }) => type)) * processes * 3 * pages +
    writes.length * (history.behaviour.receipts ? 3 : 2) +
    scalings * 8 +
    outcome.errors.length * 6 +
    outcome.gone.length +
    // A dashboard that changes is validated, and its alerts are looked for.
    (outcome.differing.length > 0 ? outcome.differing.length + pages : 0)
  );
}

/** Dashboards that lack a tile of the state when a command begins or meanwhile: each is asked for by itself. */
function withOtherTiles({ before, startedAt, endedAt }: Run, { commits }: Store): number {
  const isWithout = (board: Data | undefined, ids: readonly unknown[]) => {
    const there = ((board?.tiles ?? []) as readonly Data[]).map(({ id }) => id);
    return ids.some((id) => !there.includes(id));
  };
  return [...before.values()].filter(({ type, id, outputs }) => {
    if (type !== "Dashboard") return false;
    const own = commits.filter((one) => one.kind === "dashboards" && one.id === id && one.at <= endedAt);
    const first = own.filter(({ at }) => at <= startedAt).slice(-1);
    const ids = Object.values((outputs.tileIds ?? {}) as Data);
    return [...first, ...own.filter(({ at }) => at > startedAt)].some(({ after }) => isWithout(after, ids));
  }).length;
}

/** How many requests a fault may bring: its repetitions, and looks at what came of it. */
function repeatsOf({ history }: Account): number {
  return 8 + 3 * history.maxRetries;
}

/** A program that declares the scaling or the query endpoint of a service twice is refused, by a preview too. */
export const refusesDoubles: Invariant = ({ runs }) =>
  runs.flatMap(({ step, outcome, programs, wasKilled }): Violation[] => {
    if (step.targets || wasKilled || step.command === "refresh" || step.command === "destroy") return [];
    const types = [...programs[1].values()].map(({ type }) => type).filter((type) => !isCollected(type));
    const double = types.find((type, index) => types.indexOf(type) !== index);
    if (double === undefined || outcome.errors.length > 0) return [];
    const what = `${step.command} of stack ${step.actor} takes a program that declares ${double} twice`;
    return [{ promise: "refuses doubles", what, step: step.number }];
  });

/** A preview and a look for drift change nothing. */
export const looksOnly: Invariant = ({ runs, wire }) =>
  runs.flatMap(({ step }): Violation[] => {
    if (!["preview", "drift", "refresh"].includes(step.command)) return [];
    const write = wire.find(
      ({ caller, method, path }) =>
        caller.step === step.number && method !== "GET" && !path.endsWith("/validate"),
    );
    return write
      ? [
          {
            promise: "only looks",
            what: `${step.command} of stack ${step.actor} sent ${write.method} ${write.path}`,
            step: step.number,
          },
        ]
      : [];
  });

/** What a call with its repetitions survives. */
const enduredKinds = ["refused", "broken", "silent", "failed", "limited"];

/** A few passing faults of calls that may be repeated do not make a command fail. */
export const endures: Invariant = ({ runs, wire, history }) =>
  runs.flatMap(({ step, outcome, wasKilled }): Violation[] => {
    const faults = wire.filter(({ caller, fault }) => caller.step === step.number && fault !== undefined);
    const arePassing = faults.every(
      ({ fault, isCreate, path, answer }) =>
        fault &&
        enduredKinds.includes(fault.kind) &&
        // A 429 that is not in the API's own words leaves open whether an object was created.
        (!isCreate ||
          (fault.kind === "limited" && !(path.startsWith("/v1/") && answer?.body.startsWith("Too many")))),
    );
    if (wasKilled || !arePassing || faults.length > history.maxRetries) return [];
    const error = outcome.errors.find((each) =>
      /connection broke|no answer within|INTERNAL_ERROR|cannot be reached|answered 429/.test(each),
    );
    return error
      ? [{ promise: "endures", what: `${faults.length} faults make it fail: ${error}`, step: step.number }]
      : [];
  });
