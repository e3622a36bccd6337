import {
  type sshTunnelInputs,
  type sshTunnelOutputs,
  sshTunnelResource,
} from "../../resources/sshTunnel/sshTunnel";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of an {@link SshTunnel}. */
export interface SshTunnelArgs extends InputsOf<typeof sshTunnelInputs> {}

export interface SshTunnel extends OutputsOf<typeof sshTunnelInputs, typeof sshTunnelOutputs> {}

/**
 * An SSH host of yours through which the pipes of a service of ClickHouse Cloud reach a broker or database, called SSH key
 * resource there. Needs `dialect: clickhouse`.
 *
 * The service makes a pair of keys, and shows the public one in the output `publicKey`: put it on the host in the same program. A
 * `Pipe` with the id of the tunnel in `sshKeyResourceId` waits until the host lets the service in, or says what is missing;
 * have it depend on what puts the key on the host. With `awaitActive` the tunnel itself waits.
 *
 * The service changes no tunnel, so each change of the host, the user or the texts replaces it, with a new key. The old one goes
 * first unless the name changes. The service deletes none that a pipe uses: change the name, too, to replace such a tunnel.
 * @example
 * ```typescript
 * const bastion = new pipestack.SshTunnel("bastion", {
 *   host: "bastion.example.com",
 *   username: "clickpipes",
 * });
 * export const toAuthorize = bastion.publicKey;
 * ```
 */
export class SshTunnel extends managedResource<SshTunnelArgs>(sshTunnelResource) {}
