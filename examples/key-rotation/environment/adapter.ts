// The adapter of `fn::rotate::external` in Pulumi ESC: it rotates the API key with which pipelines sign their requests.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createRemoteJWKSet, jwtVerify } from "jose";

/** What one adapter rotates, and for whom. */
export interface AdapterSettings {
  /** The address of the adapter in the definition of the environment. Tokens for other addresses are refused. */
  readonly url: string;
  /** The organization of Pulumi Cloud and its environment that may rotate the key, such as `acme` and `access/pipeline`. */
  readonly organization: string;
  readonly environment: string;
  /** The public keys of Pulumi Cloud. */
  readonly jwksUrl: string;
  /** The organization of ClickHouse Cloud and its API. */
  readonly api: string;
  readonly organizationId: string;
  /** The key that signs the first rotation, of the role that the new keys get. Later ones are signed by the key that they replace. */
  readonly first: Credentials;
  /** The name of the keys. A key with this name is nobody else's: each rotation deletes those that are no longer in use. */
  readonly keyName: string;
}

interface Credentials {
  readonly keyId: string;
  readonly keySecret: string;
}

/** What the environment keeps, and what its users see as `current`. */
interface Current extends Credentials {
  /** Id of the key in the API, which is not its `keyId`. */
  readonly id: string;
  readonly rotatedAt: string;
}

/** What the list of keys shows of one. A new key gets the roles and addresses of the one that signs. */
interface Listed {
  readonly id: string;
  readonly name: string;
  readonly keySuffix: string;
  readonly roles?: readonly string[];
  readonly assignedRoles?: readonly { readonly roleId: string }[];
  readonly ipAccessList?: readonly object[];
}

/** A refusal, whose message the log of the environment shows. It has no secret. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Serves rotations. TLS ends before the adapter. */
export function adapterOf(settings: AdapterSettings): Server {
  const keys = createRemoteJWKSet(new URL(settings.jwksUrl));
  // Two rotations at once would each delete the key of the other.
  let last: Promise<unknown> = Promise.resolve();
  return createServer(async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    try {
      const body = await bodyOf(request);
      await verify(request, body, keys, settings);
      const { state } = JSON.parse(body) as { state: Current | null };
      const rotation = last.then(() => rotated(state, settings));
      last = rotation.catch(() => undefined);
      answer(200, await rotation);
    } catch (error) {
      const isRefusal = error instanceof Refusal;
      answer(isRefusal ? error.status : 500, { error: isRefusal ? error.message : "the rotation failed" });
    }
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** Lets in only the environment of the settings: anybody's environment in Pulumi Cloud can send a valid token for this address. */
async function verify(
  { method, headers: { authorization = "" } }: IncomingMessage,
  body: string,
  keys: ReturnType<typeof createRemoteJWKSet>,
  { url, organization, environment }: AdapterSettings,
): Promise<void> {
  if (method !== "POST") throw new Refusal(405, "a rotation is a POST");
  const token = authorization.replace(/^Bearer /, "");
  const { payload } = await jwtVerify(token, keys, {
    ...{ audience: url, algorithms: ["RS256"], requiredClaims: ["exp"] },
  }).catch(() => {
    throw new Refusal(401, "the token is missing, invalid, too old or for another address");
  });
  if (payload.org !== organization || payload.current_env !== environment)
    throw new Refusal(403, `environment ${payload.current_env} of ${payload.org} may not rotate this key`);
  if (payload.body_hash !== `sha256-${createHash("sha256").update(body).digest("base64")}`)
    throw new Refusal(400, "the token is for another body");
}

/**
 * Creates a key, and returns it. The one that was current until now stays until the next rotation, so that what has read it goes on; the
 * one before goes now, and so does a key whose secret a failed rotation has lost.
 */
async function rotated(
  state: Current | null,
  { api, organizationId, first, keyName }: AdapterSettings,
): Promise<Current> {
  const { keyId, keySecret } = state ?? first;
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`;
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${api}/v1/organizations/${organizationId}/keys${path}`, {
      ...{ method, signal: AbortSignal.timeout(30_000) },
      headers: { authorization, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Refusal(502, `${method} /keys${path} answered ${response.status}`);
    return ((await response.json()) as { result?: unknown }).result;
  };
  const all = (await call("GET", "")) as Listed[];
  const [signing, ...others] = all.filter(({ id, keySuffix }) =>
    state ? id === state.id : keyId.endsWith(keySuffix),
  );
  if (!signing || others.length > 0) throw new Refusal(502, "the list of keys does not tell which one signs");
  for (const { id, name } of all) if (name === keyName && id !== signing.id) await call("DELETE", `/${id}`);
  const { roles, assignedRoles, ipAccessList } = signing;
  const made = (await call("POST", "", {
    name: keyName,
    ...(assignedRoles ? { assignedRoleIds: assignedRoles.map(({ roleId }) => roleId) } : { roles }),
    ...(ipAccessList && { ipAccessList }),
  })) as Credentials & { key: { id: string } };
  return {
    id: made.key.id,
    keyId: made.keyId,
    keySecret: made.keySecret,
    rotatedAt: new Date().toISOString(),
  };
}
