import type { ApiKey } from "../../api/answers.golden";
import { MissingObject } from "../../api/errors";
import type { Answer } from "../../api/operations";
import type { Context } from "../../lifecycle/scope";
import { isSameId, type MembersOf } from "../../values/data";

/**
 * Why the API key of the provider's own requests may be among the given users and keys; undefined if it is not. The list of
 * keys shows only the last characters of each `keyId`.
 *
 * @param actors users as `user/<id>` and API keys as `apiKey/<id>`
 */
export async function signingActor(
  actors: readonly string[],
  { session, scope }: Context,
): Promise<string | undefined> {
  const ids = actors.flatMap((actor) => /^apiKey\/(.+)$/i.exec(actor)?.[1] ?? []);
  if (ids.length === 0) return undefined;
  let keys: Answer<"listKeys">;
  try {
    // No write changes which key signs the requests, so the deletions of a run share a list.
    keys = await session.lists.read("listKeys", scope, { asOf: "write", isWhole: true });
  } catch (error) {
    return `nothing tells whether key ${ids[0]} signs the requests (${(error as Error).message})`;
  }
  const { keyId } = session.settings;
  const meant = keys.filter(({ id }) => ids.some((other) => isSameId(id, other)));
  // A list may lack a key that exists, so only the API's own statement that there is no such key proves that it signs nothing.
  for (const id of ids.filter((other) => !keys.some((key) => isSameId(key.id, other))))
    try {
      meant.push(await session.call("getKey", { ...scope, id }));
    } catch (error) {
      if (error instanceof MissingObject) continue;
      return `nothing tells whether key ${id} signs the requests (${(error as Error).message})`;
    }
  const hidden = meant.find(({ keySuffix }) => typeof keySuffix !== "string" || keySuffix === "");
  if (hidden)
    return `nothing tells whether key ${hidden.id} signs the requests: the list of keys does not show its last characters`;
  const own = meant.find((key) => isSigningKey(key, keyId));
  return own && `key ${own.id} is the one that signs the requests, or has its last characters`;
}

/**
 * Whether an API key may authenticate the provider's own requests. The service shows only the last characters of a `keyId`.
 *
 * @param keyId the `keyId` that the provider is configured with
 */
export function isSigningKey({ keySuffix }: MembersOf<ApiKey>, keyId: string | undefined): boolean {
  return typeof keySuffix === "string" && keySuffix !== "" && keyId?.endsWith(keySuffix) === true;
}
