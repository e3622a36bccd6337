import type { Route } from "../routes";
import type { ServerVocabulary } from "../vocabulary";

/** The route by which load balancers check that an observability server runs. It needs no token. */
export function healthOf({ version }: ServerVocabulary): (readonly [path: string, Route])[] {
  if (version === undefined) return [];
  const health = { data: "OK", version: `${version}.0`, ip: "127.0.0.1" };
  return [["/health", { method: "GET", path: "", isOpen: true, isBare: true, run: () => health }]];
}
