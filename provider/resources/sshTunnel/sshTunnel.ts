import { RefusedRequest } from "../../api/errors";
import { refuseDuplicate } from "../../lifecycle/duplicates";
import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import { adoptableByUuid, contextOf, inService } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { settling } from "../../lifecycle/settling";
import { declaredIn, type State } from "../../lifecycle/state";
import { type PropertyMap, pick } from "../../values/data";
import { Type } from "../../values/schemaBuilders";
import { isUnknown } from "../../values/unknown";
import { activate } from "../tunnels/activation";

const word = { minLength: 1, pattern: "^\\S+$", rule: "a name without blanks", replaces: true } as const;

/**
 * Inputs of an SSH tunnel.
 * @see "clickhouse_clickpipes_ssh_key" in the documents of ClickHouse's provider for Terraform; no API document has it yet
 */
export const sshTunnelInputs = inService({
  /**
   * Adopts the existing SSH tunnel with this id (uuid) instead of creating one. Has no effect once the tunnel is in the Pulumi
   * state; a change that replaces the tunnel is refused while `adoptId` is declared.
   */
  adoptId: adoptableByUuid,
  /**
   * Name of the SSH tunnel, which no other tunnel of the service has. Default: the name of the resource. A change replaces the
   * tunnel.
   */
  name: Type.Optional(Type.String({ minLength: 1, replaces: true })),
  /** Description of the SSH tunnel, at most 255 characters. Default: none. A change replaces the tunnel. */
  description: Type.Optional(Type.String({ maxLength: 255, replaces: true, default: "" })),
  /** Name or address of the SSH host, which the service has to reach. A change replaces the tunnel. */
  host: Type.String(word),
  /** Port of the SSH host, 1 to 65535. Default: 22. A change replaces the tunnel. */
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535, replaces: true, default: 22 })),
  /** User as which the service signs in at the SSH host. A change replaces the tunnel. */
  username: Type.String(word),
  /**
   * Whether creating or updating the SSH tunnel waits until its status is `active`. Default: false, since the host can get the
   * `publicKey` only once the tunnel is created. A `Pipe` that names the tunnel waits for it in any case.
   */
  awaitActive: Type.Optional(Type.Boolean({ sent: "never", default: false })),
  /**
   * Minutes to wait with `awaitActive`, 1 to 1440. Default: 10. The option `customTimeouts` may end a wait sooner.
   */
  waitMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, sent: "never" })),
});

/** Outputs of an SSH tunnel beyond its inputs. */
export const sshTunnelOutputs = Type.Object({
  /**
   * Public key (OpenSSH, Ed25519) that the host has to let in: a line of `~/.ssh/authorized_keys` of the `username`. The service
   * keeps the private key.
   */
  publicKey: Type.Optional(Type.String()),
  /**
   * Status of the SSH tunnel: `pending` before the service has first signed in at the host, then `active` or `failed`. It changes
   * by itself and never counts as drift.
   */
  status: Type.Optional(Type.String({ volatile: true })),
  /** Why the SSH tunnel has its status, such as the reason for which the host refused the service. */
  statusMessage: Type.Optional(Type.String({ volatile: true })),
  /** When the service last tried to sign in at the host (ISO 8601). */
  lastValidatedAt: Type.Optional(Type.String({ volatile: true })),
  /** When the SSH tunnel was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
});

export const sshTunnelResource: Resource = resourceOf({
  type: "SshTunnel",
  noun: "SSH tunnel",
  inputs: sshTunnelInputs,
  outputs: sshTunnelOutputs,
  scope: "service",
  dialect: "clickhouse",
  // `pipestack orphans` skips SSH tunnels unless `--only` names the type: pipes of the console may use them. A create itself
  // finds a tunnel that a killed update left.
  isNoOrphan: "unlessNamed",
  operations: {
    create: "createSshTunnel",
    list: "listSshTunnels",
    get: "getSshTunnel",
    // The API updates no SSH tunnel, so this is all that an update can send.
    update: "validateSshTunnel",
    delete: "deleteSshTunnel",
  },
  namedBy: "name",
  completenessField: "host",

  // The name is unique in the service.
  isDeletedFirst: (state, inputs) => isUnknown(inputs.name) || inputs.name === state.name,

  async creation(creating, usual) {
    const { body, context } = creating;
    const { session, scope } = context;
    const existing: readonly PropertyMap[] = await session.lists.read("listSshTunnels", scope, {
      asOf: "write",
    });
    const likes = existing.filter(({ name }) => name === body.name);
    const likeness = `of service ${scope.serviceId} is also named ${JSON.stringify(body.name)}`;
    refuseDuplicate(sshTunnelResource, likes, likeness, context, "choose another name");
    return usual(creating);
  },

  steps: () => [],

  around: {
    ...settling(activated),

    async delete(usual, id, state, session) {
      try {
        await usual(id, state, session);
      } catch (error) {
        if (!(error instanceof RefusedRequest)) throw error;
        // The engine deletes a tunnel before the pipes that it will replace, since their source is an object of many members.
        throw new Error(
          `${error.message}\nThe service deletes no SSH tunnel that a pipe uses. To replace it, change its name, too: the new one is then made first, the pipes move, and the old one goes last`,
        );
      }
    },
  },
});

/** The Pulumi state of an SSH tunnel once its status is `active`, if the program waits for that. */
async function activated(id: string, state: State, inputs: PropertyMap, session: Session): Promise<State> {
  if (inputs.awaitActive !== true || state.status === "active") return state;
  const { waitMinutes = 10 } = inputs;
  const context = contextOf(sshTunnelResource, declaredIn(sshTunnelResource, inputs), session);
  const active = await activate(id, Number(waitMinutes), context);
  return { ...state, ...pick(active, ["status", "statusMessage", "lastValidatedAt"]) };
}
