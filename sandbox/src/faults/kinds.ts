/** Whether a fault happens in place of what was asked for, or once that was carried out. */
export const moments = ["before", "after"] as const;

export type Moment = (typeof moments)[number];

/** Parameters that only some kinds of faults have. */
export type FaultParameter = "seconds" | "milliseconds" | "megabytes" | "location";

/** One kind of fault. */
export interface KindOfFault {
  /** What the client meets, in one line. */
  readonly description: string;
  /** When it can happen; the first is the default. */
  readonly when: readonly Moment[];
  readonly parameters?: readonly FaultParameter[];
  /** Set for kinds that befall connections, before it can be seen what is asked for: they need the operation `*`. */
  readonly ofConnections?: true;
}

const refused = { when: ["before"] } as const;
const failed = { when: ["before", "after"] } as const;
const changed = { when: ["after"] } as const;
const replaced = { when: ["after", "before"] } as const;

/** All kinds of faults, by name. */
export const faultKinds = {
  "400": { ...refused, description: "400 in the API's own words" },
  "401": { ...refused, description: "401 in the API's own words" },
  "403": { ...refused, description: "403 in the API's own words" },
  "404": { ...refused, description: "404 in the API's own words: it says that the object is not there" },
  "404-gateway": { ...refused, description: "404 as a page of a gateway: it says nothing of the object" },
  "409": { ...refused, description: "409 in the API's own words" },
  "429": { ...refused, parameters: ["seconds"], description: "429 with Retry-After in seconds" },
  "429-date": { ...refused, parameters: ["seconds"], description: "429 with Retry-After as a date" },
  "429-reset": { ...refused, parameters: ["seconds"], description: "429 with X-RateLimit-Reset in seconds" },
  "429-bare": { ...refused, description: "429 that does not say how long to wait" },
  "500": { ...failed, description: "500 in the API's own words" },
  "502": { ...failed, description: "502 as a page of a gateway" },
  "503": { ...failed, parameters: ["seconds"], description: "503, with Retry-After if seconds are given" },
  refused: {
    ...refused,
    parameters: ["milliseconds"],
    ofConnections: true,
    description: "the port is closed, from the nth call on, until the fault is cleared or its time is over",
  },
  certificate: {
    ...refused,
    ofConnections: true,
    description: "TLS with the certificate of another host, from the nth call on, until the fault is cleared",
  },
  reset: { ...failed, description: "the connection is reset instead of an answer" },
  "reset-during": { ...changed, description: "the connection is reset in the middle of the answer" },
  delay: { ...failed, parameters: ["milliseconds"], description: "a pause of some milliseconds" },
  "cut-off": { ...changed, description: "half the answer, shorter than its Content-Length, then the end" },
  "cut-short": { ...changed, description: "half the answer, with a Content-Length that fits" },
  "not-json": { ...replaced, description: "a page of a gateway with status 200" },
  "other-shape": {
    ...changed,
    description: "JSON of another shape: an object for a list, a list for an object",
  },
  "empty-object": { ...replaced, description: "the answer {}" },
  "null-data": { ...replaced, description: "the API's envelope around null" },
  "other-id": {
    ...changed,
    description: "an answer about another object: the id of another one, or of none",
  },
  "no-id": { ...changed, description: "objects without their ids" },
  huge: { ...replaced, parameters: ["megabytes"], description: "an answer of 200 MB" },
  "gzip-bomb": {
    ...replaced,
    parameters: ["megabytes"],
    description: "a small answer that unpacks to 1000 MB",
  },
  redirect: { ...refused, parameters: ["location"], description: "307 to another origin" },
} as const satisfies Record<string, KindOfFault>;

export type FaultKind = keyof typeof faultKinds;

export const faultKindNames = Object.keys(faultKinds) as FaultKind[];

/** One kind of fault, without the details that only its own entry has. */
export function kindOfFault(name: FaultKind): KindOfFault {
  return faultKinds[name];
}
