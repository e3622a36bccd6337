import { median } from "../median";
import { table } from "../report";
import type { Peer, PeerName, Run, Step } from "./peers";
import type { Objects } from "./programs";
import type { Server } from "./server";

/** The operations that the benchmark measures, from the first preview to the destroy of a stack. */
const operations: readonly { readonly name: string; readonly step: Step; readonly isChanged?: boolean }[] = [
  { name: "preview of an empty stack", step: "preview" },
  { name: "create", step: "up" },
  { name: "nothing to do", step: "up" },
  { name: "drift check", step: "check" },
  { name: "refresh", step: "refresh" },
  { name: "change of all", step: "up", isChanged: true },
  { name: "destroy", step: "destroy" },
];

interface Figures {
  readonly seconds: number;
  readonly requests: number;
}

interface Round {
  readonly figures: ReadonlyMap<string, Figures>;
  /** The most memory that a program of the compared provider took in any operation. */
  readonly megabytes: number;
  readonly stateKilobytes: number;
}

/**
 * Runs the same stack with pipestack, the bridged provider and Terraform from preview to destroy, in turns, so that a busy
 * machine slows all of them.
 * @returns a table in Markdown
 */
export async function timesOf(
  peers: readonly Peer[],
  { title, objects, rounds }: { title: string; objects: Omit<Objects, "threshold">; rounds: number },
  server: Server,
): Promise<string> {
  const measured = new Map<PeerName, Round[]>(peers.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const peer of peers) {
      console.error(`${title}, round ${round + 1}: ${peer.name}`);
      measured.get(peer.name)?.push(await roundOf(peer, objects, server));
    }
  const [first = []] = measured.values();
  const rows = operations.map(({ name }) => [
    name,
    ...[...measured.values()].map((rounds) => {
      const seconds = median(rounds.map(({ figures }) => figures.get(name)?.seconds)) ?? Number.NaN;
      const ratio = median(
        rounds.map(({ figures }, index) => ratioOf(figures.get(name), first[index]?.figures.get(name))),
      );
      const { requests = 0 } = rounds[0]?.figures.get(name) ?? {};
      return `${seconds.toFixed(2)} s${rounds === first ? "" : `, ${ratio?.toFixed(2)} ×`}; ${requests}`;
    }),
  ]);
  const columns = [...measured.values()];
  return table(
    [`**${title}**`, ...peers.map(({ name }) => name)],
    [
      ...rows,
      [
        "memory of the provider",
        ...columns.map((rounds) => `${Math.round(Math.max(...rounds.map(({ megabytes }) => megabytes)))} MB`),
      ],
      ["state", ...columns.map(([round]) => `${Math.round(round?.stateKilobytes ?? 0)} kB`)],
    ],
  );
}

async function roundOf(peer: Peer, objects: Omit<Objects, "threshold">, server: Server): Promise<Round> {
  const { sandbox, used, environment } = server;
  const figures = new Map<string, Figures>();
  let [megabytes, stateKilobytes] = [0, 0];
  for (const { name, step, isChanged } of operations) {
    await peer.declare({ ...objects, threshold: isChanged ? 200 : 100 }, used);
    sandbox.requests.length = 0;
    const run = await peer.run(step, environment);
    if (run.code !== 0)
      throw new Error(`${peer.name}, ${name}: exit code ${run.code}\n${run.output.slice(-3000)}`);
    figures.set(name, { seconds: run.seconds, requests: sandbox.requests.length });
    megabytes = Math.max(megabytes, providerMegabytes(run));
    if (name === "create") stateKilobytes = (await peer.state()).length / 1000;
  }
  return { figures, megabytes, stateKilobytes };
}

/** Adds up the memory of the provider's programs. The bridge's provider consists of two: its own, and Terraform's provider. */
function providerMegabytes({ peaks }: Run): number {
  return [...peaks].reduce(
    (sum, [name, peak]) => (/resource-|terraform-provider/.test(name) ? sum + peak : sum),
    0,
  );
}

function ratioOf(own: Figures | undefined, first: Figures | undefined): number | undefined {
  return own && first && own.seconds / first.seconds;
}
