import { resources } from "../../../sandbox/core/resources/registry";
import type { Resource } from "../../../sandbox/core/resources/resource";
import { type JournalEntry, type OperationName, seededCredentials } from "../../../sandbox/index";
import type { Api, Setup } from "./setups";

/** Which API a provider in this setup has to ask for an operation. */
function apiOf({ home }: Setup, operation: OperationName): Api {
  const { place } = resourceOf(operation);
  if (place === "observability") return place;
  if (place !== "stack") return "management";
  // The document shows these updates of the observability API; of other objects it shows none.
  return /^update(Alert|Dashboard)$/.test(operation) ? home.updates : home.everythingElse;
}

/** Whether the servers of a setup have an operation. */
export function serves(setup: Setup, operation: OperationName): boolean {
  const { dialect } = resourceOf(operation);
  const isInDialect = dialect === undefined || dialect === setup.dialect;
  return isInDialect && (setup.apis === "both" || setup.apis === apiOf(setup, operation));
}

function resourceOf(operation: OperationName): Resource {
  const found = Object.values<Resource>(resources).find(({ operations }) => operations.includes(operation));
  if (!found) throw new Error(`the sandbox has no operation ${operation}`);
  return found;
}

/**
 * What a request asked for: `createAlert`, `deleteKey 404`, `getService on the second service`. What no operation of the
 * setup is, an unknown route or one of the other API, is written as its request line: `GET /services 404`.
 */
export function operationIn(setup: Setup, { operation, api, method, path, status }: JournalEntry): string {
  const { organizationId, serviceId, secondServiceId } = seededCredentials;
  const ending = status === 200 ? "" : ` ${status}`;
  if (operation === undefined || api !== apiOf(setup, operation))
    return `${method} ${path.replace(`/v1/organizations/${organizationId}`, "")}${ending}`;
  const [, service] = /\/services\/([^/]+)/.exec(path) ?? [];
  if (service === undefined || service === serviceId) return operation + ending;
  return operation + (service === secondServiceId ? onSecondService : " on an unknown service") + ending;
}

/** What follows the name of an operation that was asked of the second service. */
export const onSecondService = " on the second service";

/** The line of an error for a refused operation: ends with its name, its request line and, if any, the request id. */
export function refusalOf(setup: Setup, operation: OperationName): RegExp {
  const [path, request] =
    apiOf(setup, operation) === "management"
      ? ["/v1/organizations/\\S+", ", request [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"]
      : ["/api/v2/\\S+", ""];
  return new RegExp(`^error: .* \\(${operation}: [A-Z]+ ${path} answered 400${request}\\)`);
}
