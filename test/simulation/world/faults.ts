import { isWrite } from "../../../sandbox/core/operations";
import type { ApiName } from "../../../sandbox/core/request";
import type { Random } from "../random";
import { type ForeignName, foreignAnswers, foreignNames } from "./foreign";

/** A request as far as faults differ by it. */
export interface Asked {
  readonly api: ApiName;
  readonly method: string;
  readonly operation: string;
}

/** Whether a request is carried out: never, before the fault, or so many milliseconds after it. */
export type CarriedOut = "no" | "yes" | number;

/** What goes wrong with one request. */
export type Fault =
  /** No answer: the connection cannot be made, breaks, or stays silent. */
  | { readonly kind: "refused" }
  | { readonly kind: "broken"; readonly carriedOut: CarriedOut }
  | { readonly kind: "silent"; readonly carriedOut: CarriedOut }
  /** A status 500 in the API's own words. */
  | { readonly kind: "failed"; readonly carriedOut: CarriedOut }
  /** An answer that is not of the API. */
  | { readonly kind: "foreign"; readonly answer: ForeignName; readonly carriedOut: CarriedOut }
  /** A proxy shows the request that failed, with its credentials. */
  | { readonly kind: "echo"; readonly carriedOut: CarriedOut }
  /** 429, with one of many ways to say for how long; not always the API's own. */
  | { readonly kind: "limited"; readonly carriedOut: CarriedOut }
  /** In the API's own words, the organization or the service does not exist. */
  | { readonly kind: "scopeGone"; readonly what: "organization" | "service" }
  /** Only a part of the answer arrives. */
  | { readonly kind: "cut"; readonly carriedOut: CarriedOut }
  /** A read shows what was there some time ago. */
  | { readonly kind: "stale"; readonly milliseconds: number }
  /** A write is answered, and not carried out: with the old values, or with those that were sent. */
  | { readonly kind: "swallowed"; readonly shows: "old" | "sent" }
  /** A write is carried out, and answered with the values of before. */
  | { readonly kind: "oldAnswer" }
  /** The answer is about another object. */
  | { readonly kind: "otherObject"; readonly carriedOut: CarriedOut }
  /** A create is answered with an object that never comes to be. */
  | { readonly kind: "phantom" }
  /** A create is carried out and answered with an id that nobody has; in it, `*` stands for the right one. */
  | { readonly kind: "oddId"; readonly form: string }
  /** The answer takes some seconds. */
  | { readonly kind: "slow"; readonly milliseconds: number };

/** Kinds of faults that a history has, or has not. */
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

/** What looks like the API's own answer comes in place of looks at single objects alone: it refuses what it answers. */
const strangers = foreignNames.filter((name) => name !== "envelope");

/** What says of anything that it is not there. */
const deniers = strangers.filter((name) => foreignAnswers[name].status === 404);

/** Draws what goes wrong with a request; undefined where the family has nothing for a request like this. */
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
      // What is in no list is asked for by itself alone.
      if (method === "GET" && (isOfService || isOfEndpoint) && random.chance(0.3))
        return { kind: "foreign", answer: "envelope", carriedOut };
      if (isOfEndpoint && random.chance(0.5))
        return { kind: "foreign", answer: random.pick(deniers), carriedOut };
      return { kind: "foreign", answer: random.pick(strangers), carriedOut };
    case "limited":
      return { kind: "limited", carriedOut: "no" };
    case "scope":
      if (api !== "management") return undefined;
      // Of the service itself, that is the API's own word.
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

/** Ids of other forms than those that a service gives. */
const oddIds = ["../*", "*/..", "", "  ", "* ", "*?a=1", "undefined"] as const;

/** Whether a request makes a new object. */
export function isCreate({ operation }: Pick<Asked, "operation">): boolean {
  return operation.startsWith("create");
}

/** A fault in words, to follow "answered with" or the like. */
export function describeFault(fault: Fault): string {
  const carried = "carriedOut" in fault ? whenCarriedOut(fault.carriedOut) : "";
  switch (fault.kind) {
    case "refused":
      return "the connection is refused";
    case "broken":
      return `the connection breaks (${carried})`;
    case "silent":
      return `no answer comes (${carried})`;
    case "failed":
      return `status 500 (${carried})`;
    case "foreign":
      return `a gateway answers: ${fault.answer} (${carried})`;
    case "echo":
      return `a proxy shows the request (${carried})`;
    case "limited":
      return `status 429 (${carried})`;
    case "scopeGone":
      return `404 "${fault.what} not found"`;
    case "cut":
      return `the answer is cut off (${carried})`;
    case "stale":
      return `it shows what was there ${fault.milliseconds / 1000} s ago`;
    case "swallowed":
      return `it is answered with the ${fault.shows} values and not carried out`;
    case "oldAnswer":
      return "it is carried out and answered with the old values";
    case "otherObject":
      return `the answer is about another object (${carried})`;
    case "phantom":
      return "it is answered with an object that never comes to be";
    case "oddId":
      return `it is carried out and answered with the id "${fault.form}"`;
    case "slow":
      return `the answer takes ${fault.milliseconds / 1000} s`;
  }
}

function whenCarriedOut(carriedOut: CarriedOut): string {
  if (typeof carriedOut === "number") return `carried out ${carriedOut / 1000} s later`;
  return carriedOut === "yes" ? "carried out" : "not carried out";
}
