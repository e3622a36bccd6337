import { ApiError, badRequest, notFound } from "../apiError";
import { seededCredentials } from "../credentials";
import { isUuid } from "../identifiers";
import type { Records } from "../records";
import { type Call, documentedRoute, type Route, type RouteContext } from "../routes";
import { datesOf, listedRoutes } from "./listed";
import type { Resource } from "./resource";

/** An SSH host through which pipes reach a broker or database. The service makes the key, and shows its public half. */
export interface SshTunnel {
  id: string;
  serviceId: string;
  name: string;
  description: string;
  host: string;
  port: number;
  username: string;
  publicKey: string;
  /** What the latest validation found: `pending` before the first one, then `active` or `failed`. */
  status: string;
  statusMessage: string | null;
  lastValidatedAt: string | null;
  createdAt: string;
  updatedAt: string;
  /**
   * When the imitated host lets the key in, in milliseconds since 1970; absent if it never does. Somebody who holds the sandbox
   * may set it.
   */
  admittedAt?: number;
}

const { serviceId } = seededCredentials;
const createdAt = "2025-02-03T10:30:00.000Z";

/** The id of the SSH tunnel of a new sandbox. */
const seededTunnelId = "6d1c7b52-8f3a-4e60-9a2b-0c4d5e6f7a84";

type Body = Pick<SshTunnel, "name" | "host" | "username"> & Partial<Pick<SshTunnel, "description" | "port">>;

/** The SSH tunnels of a service in the sandbox, which ClickHouse Cloud calls SSH key resources. None can be changed. */
export const sshTunnels = {
  place: "service",
  dialect: "clickhouse",
  operations: [
    ...(["listSshTunnels", "createSshTunnel", "getSshTunnel", "deleteSshTunnel"] as const),
    "validateSshTunnel" as const,
  ],
  path: (vocabulary) => vocabulary.sshTunnels,

  /** A new sandbox has one SSH tunnel, whose host lets the service in. */
  seed: (): SshTunnel[] => [
    {
      ...{ id: seededTunnelId, serviceId, name: "office", description: "" },
      ...{ host: "bastion.example.com", port: 22, username: "clickpipes" },
      publicKey:
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIsandboxsandboxsandboxsandboxsandboxsandboxs clickpipes",
      ...{ status: "active", statusMessage: null, lastValidatedAt: createdAt, admittedAt: 0 },
      ...{ createdAt, updatedAt: createdAt },
    },
  ],
  columns: ["host", "port", "username"],

  routes(context: RouteContext): Route[] {
    const { store } = context;
    const usual = listedRoutes<SshTunnel>(context, {
      collection: sshTunnels,
      noun: "SSH key resource",
      hasUuids: true,
      membersOf: (call: Call<Body>) => created(call, context),
      show: shown,
    });
    return [
      ...usual,
      documentedRoute<object>({
        operation: "validateSshTunnel",
        method: "POST",
        path: "/:id/validate",
        run({ id, service, now }) {
          if (!isUuid(id)) throw badRequest("Invalid ssh key resource id");
          const tunnel = tunnelOf(store, service.id, id);
          if (!tunnel) throw notFound("SSH key resource not found");
          store.write(sshTunnels, validated(tunnel, now));
          return shown(tunnelOf(store, service.id, id) ?? tunnel);
        },
      }),
    ];
  },
} as const satisfies Resource;

/** Makes a new SSH tunnel. Its host lets the key in after a while, as if somebody put it there. */
function created(
  { body, service, now }: Call<Body>,
  { store, ids, stateMilliseconds }: RouteContext,
): Omit<SshTunnel, "id" | "serviceId"> {
  if (store.ofService(sshTunnels, service.id).some(({ name }) => name === body.name))
    throw new ApiError(409, `An SSH key resource named ${body.name} already exists in the service`);
  const { provisioning = "works" } = store.organization;
  const key = Buffer.from(`${ids.uuid()}${ids.uuid()}`.replaceAll("-", ""), "hex").toString("base64");
  return {
    ...{ description: "", port: 22, ...body },
    publicKey: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${key.slice(0, 43)} clickpipes`,
    ...{ status: "pending", statusMessage: null, lastValidatedAt: null },
    ...datesOf(now),
    ...(provisioning === "works" && { admittedAt: now + stateMilliseconds }),
  };
}

/** Makes the version of an SSH tunnel after the service has tried to sign in at the host. */
function validated({ admittedAt, ...tunnel }: SshTunnel, now: number): SshTunnel {
  const isAdmitted = admittedAt !== undefined && admittedAt <= now;
  const { updatedAt } = datesOf(now);
  return {
    ...tunnel,
    ...(admittedAt !== undefined && { admittedAt }),
    status: isAdmitted ? "active" : "failed",
    statusMessage: isAdmitted
      ? null
      : "ssh: handshake failed: ssh: unable to authenticate, attempted methods [none publickey]",
    ...{ lastValidatedAt: updatedAt, updatedAt },
  };
}

function tunnelOf(store: Records, serviceId: string, id: unknown): SshTunnel | undefined {
  return store.ofService(sshTunnels, serviceId).find((tunnel) => tunnel.id === id);
}

/**
 * Checks the SSH tunnel that a new pipe names.
 * @throws ApiError if the service has no such tunnel, or its host did not let the service in at the latest validation
 */
export function checkTunnelOfPipe(store: Records, serviceId: string, id: unknown): void {
  if (id === undefined) return;
  const tunnel = tunnelOf(store, serviceId, id);
  if (!tunnel) throw badRequest(`sshKeyResourceId: SSH key resource ${id} does not exist`);
  if (tunnel.status !== "active")
    throw badRequest(`sshKeyResourceId: SSH key resource ${id} is ${tunnel.status}, and must be active`);
}

const shown = ({ admittedAt: _, ...tunnel }: SshTunnel): object => tunnel;
