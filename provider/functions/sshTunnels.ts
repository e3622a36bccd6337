import { scopeOf } from "../lifecycle/scope";
import { pick } from "../values/data";
import { openSetOf } from "../values/schema";
import { type TArray, Type } from "../values/schemaBuilders";
import type { FunctionDefinition, ResultOf } from "./definition";
import { serviceArguments } from "./listing";

const tunnelSchema = Type.Object({
  /** Id of the SSH tunnel (uuid), for `sshKeyResourceId` of a pipe's source. */
  id: Type.String(),
  /** Name of the SSH tunnel. */
  name: Type.Optional(Type.String()),
  /** Description of the SSH tunnel. */
  description: Type.Optional(Type.String()),
  /** Name or address of the SSH host. */
  host: Type.Optional(Type.String()),
  /** Port of the SSH host. */
  port: Type.Optional(Type.Number()),
  /** User as which the service signs in at the SSH host. */
  username: Type.Optional(Type.String()),
  /** Public key (OpenSSH, Ed25519) that the host has to let in. */
  publicKey: Type.Optional(Type.String()),
  /** Whether the service has not signed in yet (`pending`), has (`active`), or was refused (`failed`). */
  status: Type.Optional(openSetOf(["pending", "active", "failed"])),
  /** Why the SSH tunnel has its status, such as the reason for which the host refused the service. */
  statusMessage: Type.Optional(Type.String()),
});

/** An SSH tunnel through which pipes of a service read. */
export interface SshTunnelSummary extends ResultOf<typeof tunnelSchema> {}

/**
 * The SSH tunnels of a service, with the keys that their hosts have to let in. Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * const tunnels = pipestack.getSshTunnels();
 * export const refused = tunnels.then((all) => all.filter(({ status }) => status === "failed").map(({ statusMessage }) => statusMessage));
 * ```
 */
export const getSshTunnels: FunctionDefinition<typeof serviceArguments, TArray<typeof tunnelSchema>> = {
  name: "getSshTunnels",
  dialect: "clickhouse",
  arguments: serviceArguments,
  result: Type.Array(tunnelSchema),
  async run(args, session) {
    const tunnels = await session.lists.read("listSshTunnels", scopeOf("service", args, session));
    return tunnels.map(
      (tunnel) => pick(tunnel, Object.keys(tunnelSchema.properties)) as unknown as SshTunnelSummary,
    );
  },
};
