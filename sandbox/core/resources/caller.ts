import type { Route, RouteContext } from "../routes";
import { keys } from "./keys";
import type { Resource } from "./resource";

/** The route `whoami` returns the key that signs the request, in the form in which the service shows keys. */
export const caller = {
  place: "management",
  dialect: "clickhouse",
  operations: ["whoami"],
  path: () => "whoami",

  routes: ({ store }: RouteContext): Route[] => [
    {
      operation: "whoami",
      method: "GET",
      path: "",
      run: ({ signer }) => ({
        actorType: "apiKey",
        keyId: signer?.keyId,
        name: store.of(keys).get(signer?.keyRecordId ?? "")?.name,
        organizationId: store.organization.id,
      }),
    },
  ],
} as const satisfies Resource;
