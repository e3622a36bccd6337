import { dialects } from "../api/dialect";
import type { PropertyMap } from "../values/data";
import { isUnknown, unknown } from "../values/unknown";
import type { Definition } from "./definition";
import { isWithoutScope } from "./scope";
import type { Session } from "./session";

/**
 * The address of an object's page in the web console. It holds only ids, since a Pulumi state shows it in plain text.
 *
 * @returns undefined if the object has no page, or the address of the console is not known
 */
export function urlOf(
  { page, scope }: Pick<Definition, "page" | "scope">,
  id: unknown,
  inputs: PropertyMap,
  session: Session,
): string | typeof unknown | undefined {
  const { dialect, pageUrl, serviceId } = session.settings;
  const shared = isWithoutScope(scope, session) ? undefined : dialects[dialect].pages;
  const address = pageUrl ?? shared?.address;
  const path = page?.(id, inputs) ?? [];
  const service = shared ? [inputs.serviceId ?? serviceId] : [];
  const parts = [...path, ...service];
  if (address === undefined || path.length === 0 || !parts.every(isPart)) return undefined;
  if (parts.some(isUnknown)) return unknown;
  const url = [address, ...path.map((part) => encodeURIComponent(String(part)))].join("/");
  return shared ? `${url}?${shared.service}=${encodeURIComponent(String(service))}` : url;
}

/** Whether a text may be a segment of a page's address: it is not empty, not `.` or `..`, and has no broken characters. */
function isPart(part: unknown): boolean {
  return isUnknown(part) || (typeof part === "string" && !/^\.{0,2}$|\p{Cs}/u.test(part));
}
