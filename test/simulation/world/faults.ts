import { isWrite } from "../../../sandbox/core/operations";
import type { ApiName } from "../../../sandbox/core/request";
import type { Random } from "../random";
import { type ForeignName, foreignAnswers, foreignNames } from "./foreign";

/** The properties of a request that decide which faults the simulation may choose for it. */
export interface Asked {
  readonly api: ApiName;
  readonly method: string;
  readonly operation: string;
}

/**
 * Whether and when the simulated service carries out a request with a fault: "no", "yes" for before the fault, or a number of
 * milliseconds after it.
 */
export type CarriedOut = "no" | "yes" | number;

/** A fault that happens to one request of a simulated history. */
export type Fault =
  /** Three faults that leave a request without an answer: the connection is refused, breaks, or stays silent. */
  | { readonly kind: "refused" }
  | { readonly kind: "broken"; readonly carriedOut: CarriedOut }
  | { readonly kind: "silent"; readonly carriedOut: CarriedOut }
  /** A fault in which the API itself answers status 500. */
  | { readonly kind: "failed"; readonly carriedOut: CarriedOut }
  /** A fault in which a gateway or another service answers in place of the API. */
  | { readonly kind: "foreign"; readonly answer: ForeignName; readonly carriedOut: CarriedOut }
  /** A fault in which a proxy answers 502 with the failed request and its credentials in the body. */
  | { readonly kind: "echo"; readonly carriedOut: CarriedOut }
  /** A fault with status 429 and one of many headers for the time to wait. The body may come from a gateway. */
  | { readonly kind: "limited"; readonly carriedOut: CarriedOut }
  /** A fault in which the API itself answers 404 for the organization or the service. */
  | { readonly kind: "scopeGone"; readonly what: "organization" | "service" }
  /** A fault in which only the first half of the answer's body arrives. */
  | { readonly kind: "cut"; readonly carriedOut: CarriedOut }
  /** A fault in which a read shows values from some time ago. */
  | { readonly kind: "stale"; readonly milliseconds: number }
  /** A fault in which a write is answered but not carried out. The answer shows the old values or those that were sent. */
  | { readonly kind: "swallowed"; readonly shows: "old" | "sent" }
  /** A fault in which a write is carried out, but the answer shows the old values. */
  | { readonly kind: "oldAnswer" }
  /** A fault in which the answer is about another object. */
  | { readonly kind: "otherObject"; readonly carriedOut: CarriedOut }
  /** A fault in which a create is answered with an object, but no object is made. */
  | { readonly kind: "phantom" }
  /** A fault in which a create is carried out, but the answer contains a wrong id. In `form`, `*` stands for the right id. */
  | { readonly kind: "oddId"; readonly form: string }
  /** A fault in which the API refuses a write, since another change of the object is under way. */
  | { readonly kind: "conflict" }
  /** A fault in which all processes of the Pulumi command are killed at the request. */
  | { readonly kind: "killed"; readonly carriedOut: "yes" | "no" }
  /** A fault in which the answer takes some seconds. */
  | { readonly kind: "slow"; readonly milliseconds: number };

/** Families of faults from which a simulated history takes its faults at random. */
export const faultFamilies = [
  "connection",
  "late",
  "failed",
  "gateway",
  "limited",
  "scope",
  "stale",
  "swallowed",
  "other",
  "phantom",
  "oddId",
] as const;

export type FaultFamily = (typeof faultFamilies)[number];

/**
 * The foreign answers (from gateways and proxies) that any request may get: all but `envelope`, which looks like the API's own
 * 404, so it is chosen only for reads of services, scalings and query endpoints.
 */
const strangers = foreignNames.filter((name) => name !== "envelope");

const deniers = strangers.filter((name) => foreignAnswers[name].status === 404);

/** Generates a fault of a family for a simulated request; undefined if the family has none for such a request. */
export function drawFault(random: Random, family: FaultFamily, request: Asked): Fault | undefined {
  const { method, operation, api } = request;
  const isRead = !isWrite(operation);
  const isDelete = method === "DELETE";
  const isOfService = /Service$|Scaling$/.test(operation);
  const isOfEndpoint = /QueryEndpoint$/.test(operation);
  const carriedOut: CarriedOut = random.chance(0.5) ? "yes" : "no";
  switch (family) {
    case "connection":
      return random.pick<Fault>([
        { kind: "refused" },
        { kind: "broken", carriedOut },
        { kind: "broken", carriedOut },
        { kind: "silent", carriedOut },
        { kind: "cut", carriedOut },
        { kind: "slow", milliseconds: random.integer(1000, 20_000) },
      ]);
    case "late": {
      if (isRead) return undefined;
      const later = random.integer(0, 60_000);
      return random.pick<Fault>([
        { kind: "broken", carriedOut: later },
        { kind: "silent", carriedOut: later },
        { kind: "failed", carriedOut: later },
        { kind: "foreign", answer: random.pick(["badGateway", "gatewayTimeout"]), carriedOut: later },
      ]);
    }
    case "failed":
      return { kind: "failed", carriedOut };
    case "gateway":
      if (random.chance(0.15)) return { kind: "echo", carriedOut };
      // The foreign answer `envelope` (from a gateway) has the form of the API's own 404. The simulation chooses it only for
      // services, scalings and query endpoints, which the provider reads one by one and not by a list.
      if (method === "GET" && (isOfService || isOfEndpoint) && random.chance(0.3))
        return { kind: "foreign", answer: "envelope", carriedOut };
      if (isOfEndpoint && random.chance(0.5))
        return { kind: "foreign", answer: random.pick(deniers), carriedOut };
      return { kind: "foreign", answer: random.pick(strangers), carriedOut };
    case "limited":
      return { kind: "limited", carriedOut: "no" };
    case "scope":
      if (api !== "management") return undefined;
      // For a request about the service itself, the answer "service not found" would be true, so the simulation does not draw
      // it.
      return {
        kind: "scopeGone",
        what: isOfService ? "organization" : random.pick(["organization", "service"]),
      };
    case "stale":
      return isRead ? { kind: "stale", milliseconds: random.integer(100, 60_000) } : undefined;
    case "swallowed":
      if (isRead || isDelete || isCreate(request)) return undefined;
      return random.pick<Fault>([
        { kind: "swallowed", shows: "old" },
        { kind: "swallowed", shows: "sent" },
        { kind: "oldAnswer" },
      ]);
    case "other":
      return isDelete || operation.startsWith("list") ? undefined : { kind: "otherObject", carriedOut };
    case "phantom":
      return isCreate(request) ? { kind: "phantom" } : undefined;
    case "oddId":
      return isCreate(request) ? { kind: "oddId", form: random.pick(oddIds) } : undefined;
  }
}

/** Malformed ids that no server gives, for wrong answers in the simulation. */
const oddIds = ["../*", "*/..", "", "  ", "* ", "*?a=1", "undefined"] as const;

export function isCreate({ operation }: Pick<Asked, "operation">): boolean {
  return operation.startsWith("create");
}

/** Describes a fault in the words of its type, such as "broken, carriedOut yes". */
export function describeFault({ kind, ...details }: Fault): string {
  return [kind, ...Object.entries(details).map(([name, value]) => `${name} ${value}`)].join(", ");
}
