import type { Account, Habits, Kept, Run } from "./account";
import { isCollected, kindOf } from "./kinds";
import { faultedIn, promise } from "./promise";
import type { Data, Store } from "./store";

export const ends = promise("ends", "Every command ends.", [], ({ failure }) =>
  failure ? [{ what: failure.name === "Hang" ? failure.message : `${failure.stack}` }] : [],
);

/**
 * The most seconds that one request of a Pulumi command may take. ClickHouse Cloud allows one request a second, and may return
 * old values for some seconds.
 */
const secondsForRequest = 2;

/**
 * The most seconds that one fault may cost a Pulumi command: the time limit of a call, and the longest wait that a server asks
 * for.
 */
const secondsForFault = 150;

export const endsInTime = promise(
  "ends in time",
  "A command ends soon: a fault costs at most the time limit of a call and the longest wait for each repetition.",
  ["wire"],
  (account) =>
    account.runs.flatMap(({ step, startedAt, endedAt, requests }) => {
      const faults = faultedIn(account, step.number).length;
      const most = 60_000 + requests * secondsForRequest * 1000 + faults * secondsForFault * 1000;
      if (endedAt - startedAt <= most) return [];
      const what = `${step.command} of stack ${step.actor} took ${(endedAt - startedAt) / 1000} s for ${requests} requests with ${faults} faults (${account.maxRetries} retries)`;
      return [{ what, step: step.number }];
    }),
);

/** The rate limits of ClickHouse Cloud and HyperDX: a number of requests in a sliding window of some seconds. */
const limits = {
  management: { requests: 10, seconds: 10 },
  observability: { requests: 100, seconds: 60 },
};

export const keepsTheLimits = promise(
  "keeps the limits",
  "No process exceeds the known limits of a service.",
  ["wire", "habits"],
  ({ wire, habits }) => {
    if (habits.dialect !== "clickhouse") return [];
    const times = new Map<string, number[]>();
    return wire.flatMap(({ process, api, at, caller, answer }) => {
      // The rate limit does not count requests that the server refused with 429: after each of them the client waits as long as
      // the server says.
      if (answer?.status === 429) return [];
      const key = `${process} ${api}`;
      const own = times.get(key) ?? [];
      times.set(key, own);
      own.push(at);
      const { requests, seconds } = limits[api];
      const first = own.at(-1 - requests);
      if (first === undefined || at - first >= seconds * 1000) return [];
      const what = `a process sent ${requests + 1} requests to the ${api} API within ${(at - first) / 1000} s`;
      return [{ what, step: caller.step }];
    });
  },
);

/** The most characters that a message of the provider may have, since users do not read longer ones. */
const longestMessage = 900;

/** Matches the message of an AlertSet that lists all creates with an unknown outcome. It may be longer than other messages. */
const namesDoubts = /^.*\d+ of \d+ \w+ failed, .* may have created/;

export const speaksPlainly = promise(
  "speaks plainly",
  "No message is longer than two lines or shows a stack trace, code or a garbled value.",
  [],
  ({ runs, orphans = [], wire }) => {
    // The simulated service may answer a create with the id "undefined", which a message may quote.
    const hasOddIds = wire?.some(({ fault }) => fault?.kind === "oddId");
    const isGarbled = (message: string) =>
      message.split("\n").length > 2 ||
      (message.length > longestMessage && !namesDoubts.test(message)) ||
      /TypeError|Cannot read prop|\[object |\bundefined\b|\bNaN\b|\n\s+at /.test(
        hasOddIds ? message.replaceAll('"undefined"', "") : message,
      );
    const said = [...runs, ...orphans].flatMap(({ step, messages }) =>
      messages.filter(isGarbled).map((message) => ({ what: `it said: ${message}`, step: step.number })),
    );
    const traces = runs
      .filter(({ printed = "" }) => /^\s+at .*:\d+|\[object /m.test(printed))
      .map(({ step }) => ({ what: `${step.command} printed code`, step: step.number }));
    return [...said, ...traces];
  },
);

/**
 * A promise of the provider about the number of its requests. Each fault allows a command some more requests, to repeat the
 * call and to read its outcome.
 */
export const asksNoMoreThanNeeded = promise(
  "asks no more than needed",
  "A command makes the requests that it needs, a few more for each fault, and no other.",
  ["wire", "habits", "maxRetries"],
  (account) =>
    account.runs.flatMap((run) => {
      const { step, requests, wasKilled } = run;
      if (step.targets || wasKilled) return [];
      const faults = faultedIn(account, step.number).length;
      const most = Math.ceil(neededBy(run, account) * 1.2) + faults * (8 + 3 * account.maxRetries);
      if (requests <= most) return [];
      const what = `${step.command} of stack ${step.actor} made ${requests} requests, and ${most.toFixed(0)} are enough (${faults} faults)`;
      return [{ what, step: step.number }];
    }),
);

/**
 * Estimates the number of requests that a Pulumi command needs. Reads of a collection share one list; a write costs its own
 * request and one for a read.
 */
function neededBy(run: Run, { habits, store }: Account & Required<Pick<Account, "habits">>): number {
  const { outcome, before, after, step, programs } = run;
  const different = (names: readonly unknown[]) => new Set(names).size;
  // Each provider instance runs in a process of its own, which requests its own lists. So a command needs more requests if the
  // stack has several instances.
  const processes = Math.max(1, different([...before, ...after].map(([, { instance }]) => instance)));
  const reads = step.command === "refresh" || step.command === "drift" || step.command === "up --refresh";
  const types = [...before.values()].map(({ type, instance }) => `${type} ${instance}`);
  const pagesOf = ({ type }: Kept) => store.all(kindOf(type), run.endedAt).length / habits.page;
  const pages = habits.page < 1000 ? 2 + Math.max(types.length, ...[...before.values()].map(pagesOf)) : 1;
  const writes = outcome.operations.filter(({ op }) => op !== "read" && op !== "same");
  const scalings = writes.filter(({ type }) => !isCollected(type)).length;
  const forReads =
    different(types) * pages +
    withOtherTiles(run, store) +
    [...before.values()].filter((kept) => isAskedForByItself(kept, habits)).length;
  // If a program only reads a resource, without managing it, the refresh reads the resource and the program's run reads it
  // again.
  const onlyRead = outcome.operations.filter(({ op, type }) => op === "read" && partly.includes(type));
  return (
    // The provider reads an object singly if a lagging list does not show it yet.
    (habits.listLag > 0 ? types.length : 0) +
    onlyRead.length * 2 +
    (reads ? forReads : 0) +
    different(writes.map(({ type }) => type)) * processes * 3 * pages +
    writes.length * (habits.receipts ? 3 : 2) +
    scalings * 8 +
    // The error of an AlertSet says how many of its alerts failed. The provider sends further requests for each failed alert,
    // to find out what the service has done.
    outcome.errors.reduce((sum, text) => {
      const [, failed = 1, all = 0] = /(\d+) of (\d+) \w+ failed/.exec(text) ?? [];
      return sum + Number(failed) * 6 + Number(all) * 2;
    }, 0) +
    outcome.gone.length +
    run.messages.filter((text) => /\[uncompared (new|notRunning) /.test(text)).length +
    // The provider validates a changed dashboard and lists its alerts, which costs further requests.
    (outcome.differing.length > 0 ? outcome.differing.length + pages : 0) +
    // A preview looks for what is there already under the name, the service or the `adoptId` of a resource that the command does
    // not create: in a list of its own, and singly.
    (step.command === "refresh" ? [] : [...programs[1].keys()]).filter(
      (name) => !before.has(name) && !after.has(name),
    ).length *
      2
  );
}

/** Resource types whose lists leave out some properties, so that the provider also reads each object singly. */
const partly = ["QueryApiEndpoint", "SavedQuery"];

function isAskedForByItself({ type, inputs, outputs }: Kept, { dialect }: Habits): boolean {
  // If the Pulumi state contains channels of an alert that the program does not declare, the provider also reads the alert
  // singly, since no list shows the channels.
  const hasChannels = outputs.channels !== undefined && inputs.channels === undefined;
  // Servers of the dialect `neutral` have no list of services, so the provider reads a service's scaling by a request of its
  // own.
  const isWithoutList = type === "ServiceScaling" && dialect === "neutral";
  return partly.includes(type) || inputs.source === "inline" || hasChannels || isWithoutList;
}

/**
 * Counts the dashboards that lack a tile of the Pulumi state before or during the command. The provider reads each of them
 * singly.
 */
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

export const refusesDoubles = promise(
  "refuses doubles",
  "A program that declares the scaling or the query endpoint of a service twice, or adopts what it has, is refused, by a preview too.",
  [],
  ({ runs }) =>
    runs.flatMap(({ step, outcome, programs, before, wasKilled }) => {
      if (step.targets || wasKilled || step.command === "refresh" || step.command === "destroy") return [];
      const types = [...programs[1].values()].map(({ type }) => type).filter((type) => !isCollected(type));
      const double = types.find((type, index) => types.indexOf(type) !== index);
      // An object that does not exist yet has no id in a preview. So the preview cannot notice that two resources of the
      // program will have this object.
      const isKnown = (name: string) => before.has(name) || step.command.startsWith("up");
      const adopted = [...programs[1].values()]
        .map(({ args }) => (args.adoptId as Data | undefined)?.ref)
        .find((name) => typeof name === "string" && programs[1].has(name) && isKnown(name));
      if ((double ?? adopted) === undefined || outcome.errors.length > 0) return [];
      const fault = double ? `declares ${double} twice` : `adopts what its ${adopted} has`;
      const what = `${step.command} of stack ${step.actor} takes a program that ${fault}`;
      return [{ what, step: step.number }];
    }),
);

export const onlyLooks = promise(
  "only looks",
  "A preview, a refresh and a look for drift change nothing.",
  ["wire"],
  ({ runs, wire }) =>
    runs.flatMap(({ step }) => {
      if (!["preview", "drift", "refresh"].includes(step.command)) return [];
      const write = wire.find(
        ({ caller, method, path }) =>
          caller.step === step.number &&
          method !== "GET" &&
          !/\/(validate|series|schemaDiscovery)$/.test(path),
      );
      if (!write) return [];
      const what = `${step.command} of stack ${step.actor} sent ${write.method} ${write.path}`;
      return [{ what, step: step.number }];
    }),
);

/** Faults that the provider overcomes by repeating the request. */
const passing = ["refused", "broken", "silent", "failed", "limited"];

export const endures = promise(
  "endures",
  "A few passing faults of calls that may be repeated do not make a command fail.",
  ["wire", "maxRetries"],
  (account) =>
    account.runs.flatMap(({ step, outcome, wasKilled }) => {
      const faults = faultedIn(account, step.number);
      const arePassing = faults.every(
        ({ fault, isCreate, path, answer }) =>
          fault &&
          passing.includes(fault.kind) &&
          // The provider may repeat a failed create only after the API's own 429: any other answer leaves open whether an
          // object was created.
          (!isCreate ||
            (fault.kind === "limited" && !(path.startsWith("/v1/") && answer?.body.startsWith("Too many")))),
      );
      if (wasKilled || !arePassing || faults.length > account.maxRetries) return [];
      const error = outcome.errors.find((each) =>
        /connection broke|no answer within|something went wrong|cannot be reached|answered 429/.test(each),
      );
      return error ? [{ what: `${faults.length} faults make it fail: ${error}`, step: step.number }] : [];
    }),
);

export const tellsWhatWasCreated = promise(
  "tells what was created",
  "A create that fails in passing is found, repeated, or named by the id of its object, whatever comes of the others.",
  ["wire", "habits", "maxRetries"],
  (account) =>
    account.runs.flatMap(({ step, outcome, startedAt, endedAt, wasKilled }) => {
      const { habits, maxRetries, store, wire } = account;
      const faults = faultedIn(account, step.number);
      const isClear = faults.every(
        ({ fault }) =>
          fault?.kind === "refused" ||
          ((fault?.kind === "broken" || fault?.kind === "failed") && typeof fault.carriedOut === "string"),
      );
      const areListed = faults.filter(({ method }) => method === "GET").length <= maxRetries;
      const creates = wire.filter(({ caller, isCreate }) => caller.step === step.number && isCreate);
      const isAlone =
        new Set(creates.map((create) => create.process)).size <= 1 &&
        // An update is judged only if nobody else creates or deletes objects during it: the provider finds a lost object by its
        // content, and a name that is taken may belong to the object of somebody else.
        store.commits.every(
          ({ actor, kind, id, at, after }) =>
            actor === step.actor ||
            at < startedAt ||
            at > endedAt ||
            (after && (store.creationOf(kind, id)?.at ?? 0) < startedAt),
        );
      const isShown = habits.listLag === 0 && !Object.values(habits.rewrites).includes(true);
      if (wasKilled || !isClear || !areListed || !isAlone || !isShown) return [];
      const error = outcome.errors.find((each) => each.includes("or may still be: before you run"));
      return error ? [{ what: error, step: step.number }] : [];
    }),
);
