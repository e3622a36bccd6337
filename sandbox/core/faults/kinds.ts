/** `before`: the request is not carried out; `after`: it is, and only the answer goes wrong; `later`: it is, after the answer. */
export const timings = ["before", "after", "later"] as const;

export type Timing = (typeof timings)[number];

/** Parameters of some kinds of faults only. */
export type FaultParameter = "seconds" | "milliseconds" | "requests" | "megabytes" | "location";

/** What a kind of fault does and takes. */
export interface FaultDefinition {
  /** What the client sees, in one line. */
  readonly description: string;
  /** When it can be injected; the first is the default. */
  readonly when: readonly Timing[];
  readonly parameters?: readonly FaultParameter[];
  /** Set for kinds that affect connections. A connection comes before its request: they need the operation `*`. */
  readonly affectsConnections?: true;
  /** Set for kinds of which only calls that change something know. They come after authentication and validation. */
  readonly affectsWrites?: true;
}

const refused = { when: ["before"] } as const;
const delayed = { when: ["before", "after"] } as const;
const failed = { when: ["before", "after", "later"] } as const;
const changed = { when: ["after"] } as const;
const replaced = { when: ["after", "before"] } as const;
const unseen = { when: ["after"], parameters: ["milliseconds", "requests"], affectsWrites: true } as const;

/** All kinds of faults, by name. */
export const faultKinds = {
  "101": { ...refused, description: "101: a switch to a protocol that nobody asked for" },
  "400": { ...refused, description: "400 in the API's own format" },
  "401": { ...refused, description: "401 in the API's own format" },
  "403": { ...refused, description: "403 in the API's own format" },
  "404": { ...refused, description: "404 in the API's own format: the object does not exist" },
  "404-gateway": { ...refused, description: "404 page of a gateway: says nothing about the object" },
  "404-framework": {
    ...refused,
    description: "404 in the JSON of a web framework: says nothing about the object",
  },
  "404-envelope": {
    ...refused,
    description: "404 in the management API's envelope, but not in its words: says nothing about the object",
  },
  "403-firewall": { ...failed, description: "403 page of a firewall" },
  "408": { ...failed, description: "408 page of a proxy" },
  "409": { ...refused, description: "409 in the API's own format" },
  "429": { ...refused, parameters: ["seconds"], description: "429 with Retry-After in seconds" },
  "429-date": { ...refused, parameters: ["seconds"], description: "429 with Retry-After as a date" },
  "429-reset": { ...refused, parameters: ["seconds"], description: "429 with X-RateLimit-Reset in seconds" },
  "429-bare": { ...refused, description: "429 that does not say how long to wait" },
  "429-gateway": {
    ...failed,
    parameters: ["seconds"],
    description: "429 page of a gateway, with Retry-After in seconds",
  },
  "500": { ...failed, description: "500 in the API's own format" },
  "502": { ...failed, description: "502 page of a gateway" },
  "503": { ...failed, parameters: ["seconds"], description: "503, with Retry-After if `seconds` is set" },
  refused: {
    ...refused,
    parameters: ["milliseconds"],
    affectsConnections: true,
    description: "closed port from the nth call on, until the fault is cleared or has expired",
  },
  certificate: {
    ...refused,
    affectsConnections: true,
    description: "TLS certificate of another host from the nth call on, until the fault is cleared",
  },
  reset: { ...failed, description: "connection reset in place of a response" },
  "reset-during": { ...changed, description: "connection reset in the middle of the response" },
  delay: { ...delayed, parameters: ["milliseconds"], description: "delayed response" },
  "cut-off": {
    ...changed,
    description: "half the response, shorter than its Content-Length, then a closed connection",
  },
  "cut-short": { ...changed, description: "half the response, with a matching Content-Length" },
  "not-json": { ...replaced, description: "page of a gateway with status 200" },
  "no-content": { ...replaced, description: "204 without a body" },
  accepted: {
    when: ["after", "before", "later"],
    description: "202: the request may be carried out later, or never",
  },
  ignored: {
    when: ["before"],
    affectsWrites: true,
    description: "success without a change: an update is answered with the old object",
  },
  stale: { ...unseen, description: "success with the old object, which every read shows for a while" },
  "stale-list": { ...unseen, description: "success, but lists show what was there before for a while" },
  "stale-get": {
    ...unseen,
    description: "success, but single reads show what was there before for a while",
  },
  "stale-reads": {
    ...unseen,
    description: "success, but lists and single reads show what was there before for a while",
  },
  "other-shape": {
    ...changed,
    description: "JSON of another shape: an object in place of a list, or a list in place of an object",
  },
  "empty-object": { ...replaced, description: "empty object as the whole response" },
  "null-data": { ...replaced, description: "null in the API's envelope" },
  "other-id": {
    ...changed,
    description: "response about another object: the id of another one, or of none",
  },
  "no-id": { ...changed, description: "objects without their ids" },
  "path-id": { ...changed, description: "objects whose ids are paths, such as ../66f0" },
  "blank-id": { ...changed, description: "objects whose ids are a blank" },
  "foreign-id": {
    ...changed,
    description: "objects whose ids have another form: UUIDs in place of 24 hex digits, and vice versa",
  },
  huge: { ...replaced, parameters: ["megabytes"], description: "response of 200 MB" },
  "gzip-bomb": {
    ...replaced,
    parameters: ["megabytes"],
    description: "small response that unpacks to 1000 MB",
  },
  redirect: { ...refused, parameters: ["location"], description: "307 to another origin" },
} as const satisfies Record<string, FaultDefinition>;

export type FaultKind = keyof typeof faultKinds;

export const faultKindNames = Object.keys(faultKinds) as FaultKind[];

/** The definition of a kind, with the members that all kinds share. */
export function definitionOf(name: FaultKind): FaultDefinition {
  return faultKinds[name];
}

/** The parameters that a fault of a kind takes; one of which a request is carried out later also takes the time until then. */
export function parametersOf(name: FaultKind, when: Timing | undefined): readonly FaultParameter[] {
  const { parameters = [] } = definitionOf(name);
  return when === "later" ? [...new Set([...parameters, "milliseconds", "requests"] as const)] : parameters;
}
