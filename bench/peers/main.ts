/**
 * Compares pipestack with ClickHouse's Terraform provider, used in Terraform and through Pulumi's bridge. It needs Linux, and
 * bench/peers/README.md says how to run it.
 */
import { parseArgs } from "node:util";
import { findPulumi } from "../../toolchain/pulumi.mjs";
import { table } from "../report";
import { scenarios } from "./faults";
import { type Binaries, createPeer, type Peer, type PeerName } from "./peers";
import { startServer } from "./server";
import { timesOf } from "./times";

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      ...{ bridge: { type: "string" }, "terraform-provider": { type: "string" } },
      ...{ rounds: { type: "string", default: "2" }, only: { type: "string" } },
      sizes: { type: "string", default: "1,100,300" },
    },
  });
  const binaries = { bridge: values.bridge, terraformProvider: values["terraform-provider"] };
  const names: PeerName[] = ["pipestack", ...(values.bridge ? (["bridge"] as const) : []), "terraform"];
  if (values.only !== "times") console.log(`${await faultTable(names, binaries)}\n`);
  if (values.only === "faults") return;
  const stacks = [
    ...values.sizes
      .split(",")
      .map((size) => ({ title: `${size} alerts`, objects: { alerts: Number(size) } })),
    { title: "50 dashboards", objects: { dashboards: 50 } },
  ];
  const pulumi = await findPulumi();
  const peers = await Promise.all(names.map((name) => createPeer(name, pulumi, binaries)));
  const server = await startServer();
  try {
    for (const stack of stacks)
      console.log(`${await timesOf(peers, { ...stack, rounds: Number(values.rounds) }, server)}\n`);
  } finally {
    await Promise.all(peers.map((peer) => peer.close()));
    await server.sandbox.close();
  }
}

/** Runs each fault with each peer (a provider that the benchmark compares), each with its own server and state. */
async function faultTable(names: readonly PeerName[], binaries: Binaries): Promise<string> {
  const pulumi = await findPulumi();
  const rows: string[][] = [];
  for (const { title, run } of scenarios) {
    const cells: string[] = [];
    for (const name of names) {
      console.error(`${title}: ${name}`);
      const server = await startServer();
      let peer: Peer | undefined;
      try {
        peer = await createPeer(name, pulumi, binaries);
        cells.push(await run({ peer, server, sandbox: server.sandbox }));
      } finally {
        await peer?.close();
        await server.sandbox.close();
      }
    }
    rows.push([title, ...cells]);
  }
  return table(["", ...names], rows);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
