import { MissingObject } from "../../api/errors";
import type { Context } from "../../lifecycle/scope";
import type { PropertyMap } from "../../values/data";

/** Milliseconds between two validations of an SSH tunnel. Each has the service sign in at the host. */
const betweenValidations = 5000;

const minute = 60_000;

/**
 * Has the service sign in at the host of an SSH tunnel until the host lets it in: the host may only just have got the key.
 *
 * @returns the tunnel, whose status is `active`
 * @throws Error after some minutes, with what is missing; MissingObject if the service has no such tunnel
 */
export async function activate(id: string, minutes: number, context: Context): Promise<PropertyMap> {
  const { session, scope } = context;
  const begun = Date.now();
  let told: number | undefined;
  for (;;) {
    const tunnel: PropertyMap = await session.call("validateSshTunnel", { ...scope, id }, {});
    session.lists.noteWrite("listSshTunnels", scope, id);
    if (tunnel.status === "active") return tunnel;
    const ended = session.interruption.reason();
    const waited = Math.round((Date.now() - begun) / minute);
    if (ended !== undefined || Date.now() - begun >= minutes * minute)
      throw new Error(
        `${missingFor(id, tunnel)}\nThe wait for it has ended: ${ended ?? `${waited} min, the limit`}`,
      );
    if (told === undefined) session.inform(missingFor(id, tunnel));
    else if (Date.now() - told >= minute)
      session.inform(`SSH tunnel ${id} is still ${tunnel.status} after ${waited} min; the wait goes on`);
    if (told === undefined || Date.now() - told >= minute) told = Date.now();
    await session.interruption.pause(betweenValidations);
  }
}

/** What an SSH tunnel lacks that is not active: a sentence for an error. */
function missingFor(id: string, { name, status, statusMessage, ...tunnel }: PropertyMap): string {
  const { host, port, username, publicKey } = tunnel;
  const why = typeof statusMessage === "string" && statusMessage !== "" ? ` (${statusMessage})` : "";
  return `SSH tunnel ${id} (${name}) is ${status}${why}: the service cannot sign in as ${username} at ${host}:${port}
Let the addresses of the service reach that port, and add the public key to ~/.ssh/authorized_keys of ${username}: ${publicKey}`;
}

/**
 * Has the SSH tunnel that a new pipe names be active, since the service refuses the pipe otherwise.
 * @param path the place of the tunnel's id in the inputs
 */
export async function activateFor(
  path: string,
  id: string,
  minutes: number,
  context: Context,
): Promise<void> {
  const { session, scope } = context;
  // The read may not show a tunnel that is only just created, so only a validation tells that it is missing.
  const known: PropertyMap = await session
    .call("getSshTunnel", { ...scope, id })
    .catch((error) => (error instanceof MissingObject ? {} : Promise.reject(error)));
  if (known.status === "active") return;
  try {
    await activate(id, minutes, context);
  } catch (error) {
    if (!(error instanceof MissingObject)) throw error;
    throw new Error(
      `${path}: service ${scope.serviceId} has no SSH tunnel ${id}; declare the id of an SshTunnel of the same service`,
    );
  }
}
