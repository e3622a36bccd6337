import type { Fault, Sandbox } from "../../sandbox/index";
import type { Peer, Run } from "./peers";
import { descendantsOf } from "./processes";
import type { Objects } from "./programs";
import type { Server } from "./server";

/** A peer (a provider that the benchmark compares) with an empty state and its own server. */
interface Trial {
  readonly peer: Peer;
  readonly server: Server;
  readonly sandbox: Sandbox;
}

interface Scenario {
  readonly title: string;
  readonly run: (trial: Trial) => Promise<string>;
}

const secret = "https://hooks.example.com/t0p-s3cret";

/** How often a pipeline would repeat a failed update before a person looks at it. */
const mostRuns = 3;

export const scenarios: readonly Scenario[] = [
  {
    title: "the answers to 2 of 3 creates are lost: the connection ends after the alert was made",
    run: (trial) => lostAnswers(trial, "reset"),
  },
  {
    title: "the same, with the page of a gateway (504) as the answer",
    run: (trial) => lostAnswers(trial, "504"),
  },
  {
    title: "the CLI and its children are killed in the middle of 20 creates; then the update runs again",
    run: (trial) => killed(trial),
  },
  {
    title: "the same, after the command that recovers what was made",
    run: (trial) =>
      trial.peer.recover ? killed(trial, trial.peer.recover) : Promise.resolve("there is none"),
  },
  {
    title: "a gateway answers a refresh of 3 alerts with 404 pages; then the update runs again",
    async run(trial) {
      const { sandbox } = trial;
      const before = sandbox.store.alerts.size;
      await declare(trial, { alerts: 3 });
      await done(trial);
      await sandbox.faults.set([{ kind: "404-gateway", operation: "*" }]);
      const refresh = await step(trial, "refresh");
      await sandbox.faults.clear();
      return `refresh ${ended(refresh)}; ${await untilDone(trial)}; ${sandbox.store.alerts.size - before} alerts for 3`;
    },
  },
  {
    title: "somebody renames a tile of a dashboard; then a drift check",
    async run(trial) {
      const known = new Set(trial.sandbox.store.dashboards.keys());
      await declare(trial, { dashboards: 1 });
      await done(trial);
      for (const [id, dashboard] of trial.sandbox.store.dashboards)
        if (!known.has(id)) for (const tile of dashboard.tiles) tile.name = `${tile.name} (by hand)`;
      const check = await step(trial, "check");
      const names = /Errors \(by hand\)|tiles\[/.test(check.output) ? ", which names the tile" : "";
      return check.code === 0 ? "**no drift is found**" : `drift is found${names}`;
    },
  },
  {
    title: "somebody adds a note to an alert; then an update of its threshold",
    async run(trial) {
      const alerts = await newAlerts(trial, { alerts: 1 });
      for (const alert of alerts) alert.note = "Ask Ann first";
      await declare(trial, { alerts: 1, threshold: 200 });
      const up = await step(trial, "up");
      const kept = (await alertsSince(trial, alerts)).every(({ note }) => note === "Ask Ann first");
      const told = up.output.includes("note") ? "which is told" : "in silence";
      return kept ? "the note stays" : `**the note is gone**, ${told}`;
    },
  },
  {
    title: "somebody raises the threshold of an alert; then an update of it, without a refresh before",
    async run(trial) {
      const alerts = await newAlerts(trial, { alerts: 1 });
      for (const alert of alerts) alert.threshold = 777;
      await declare(trial, { alerts: 1, threshold: 200 });
      const up = await step(trial, "up");
      const lost = up.output.includes("777")
        ? "the lost value"
        : up.output.includes("somebody else changed threshold")
          ? "the property, and that somebody else changed it"
          : undefined;
      return lost === undefined ? "**overwritten in silence**" : `overwritten; the output names ${lost}`;
    },
  },
  {
    title: "an interval that the service does not have, in a preview",
    async run(trial) {
      await trial.peer.declare({ alerts: 1, threshold: 100, interval: "7m" }, trial.server.used);
      const preview = await step(trial, "preview");
      return preview.code === 0 ? "**accepted**" : "refused";
    },
  },
  {
    title: "the secret address of a webhook, in the state",
    async run(trial) {
      await declare(trial, { webhookUrl: secret });
      const up = await done(trial);
      const isPlain = (await trial.peer.state()).includes(secret);
      const isPrinted = up.output.includes(secret);
      return `${isPlain ? "**plain**" : "encrypted"}${isPrinted ? ", **and printed**" : ""}`;
    },
  },
];

async function killed(trial: Trial, recover?: Peer["recover"]): Promise<string> {
  const { peer, server, sandbox } = trial;
  const before = sandbox.store.alerts.size;
  await declare(trial, { alerts: 20 });
  await peer.run("up", server.environment, { started: killAfter(10, sandbox) });
  await peer.unlock();
  await recover?.(server.environment);
  return `${await untilDone(trial)}; ${sandbox.store.alerts.size - before} alerts for 20`;
}

async function lostAnswers(trial: Trial, kind: Fault["kind"]): Promise<string> {
  const { sandbox } = trial;
  const before = sandbox.store.alerts.size;
  await declare(trial, { alerts: 3 });
  await sandbox.faults.set([1, 2].map((nth) => ({ kind, when: "after", operation: "createAlert", nth })));
  const runs = await untilDone(trial);
  return `${runs}; ${sandbox.store.alerts.size - before} alerts for 3`;
}

/** Kills the process of a compared provider and all its child processes once the given number of alerts has been created. */
function killAfter(count: number, { requests }: Sandbox) {
  return (pid: number) => {
    const timer = setInterval(() => {
      if (requests.filter(({ operation }) => operation === "createAlert").length < count) return;
      clearInterval(timer);
      for (const { id } of descendantsOf(pid)) process.kill(id, "SIGKILL");
    }, 2);
  };
}

async function declare(trial: Trial, objects: Partial<Objects>): Promise<void> {
  await trial.peer.declare({ threshold: 100, ...objects }, trial.server.used);
}

function step({ peer, server }: Trial, name: Parameters<Peer["run"]>[0]): Promise<Run> {
  return peer.run(name, server.environment);
}

async function done(trial: Trial): Promise<Run> {
  const up = await step(trial, "up");
  if (up.code !== 0) throw new Error(`${trial.peer.name}: exit code ${up.code}\n${up.output.slice(-3000)}`);
  return up;
}

async function untilDone(trial: Trial): Promise<string> {
  for (let run = 1; run <= mostRuns; run++)
    if ((await step(trial, "up")).code === 0)
      return run === 1 ? "the update succeeds" : `run ${run} succeeds`;
  return `**${mostRuns} runs fail**`;
}

const ended = ({ code }: Run) => (code === 0 ? "succeeds" : "fails");

async function newAlerts(trial: Trial, objects: Partial<Objects>) {
  const known = new Set(trial.sandbox.store.alerts.keys());
  await declare(trial, objects);
  await done(trial);
  return [...trial.sandbox.store.alerts].filter(([id]) => !known.has(id)).map(([, alert]) => alert);
}

/**
 * Returns the present records of alerts that were created before the fault. The sandbox replaces the record of an alert when it
 * updates the alert, so the older records are out of date.
 */
async function alertsSince({ sandbox }: Trial, former: Awaited<ReturnType<typeof newAlerts>>) {
  return former.flatMap(({ id }) => sandbox.store.alerts.get(id) ?? []);
}
