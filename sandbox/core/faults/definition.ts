/** `before`: the request is not carried out; `after`: it is, and only the answer goes wrong; `later`: it is, after the answer. */
export const timings = ["before", "after", "later"] as const;

export type Timing = (typeof timings)[number];

/** Parameters of some kinds of faults only. */
export const faultParameters = ["seconds", "milliseconds", "requests", "megabytes", "location"] as const;

export type FaultParameter = (typeof faultParameters)[number];

/** The nature of a kind of fault. */
export interface FaultDefinition {
  /** The view of the client, in one line. */
  readonly description: string;
  /** When it can be injected; the first is the default. */
  readonly when: readonly Timing[];
  readonly parameters?: readonly FaultParameter[];
  /** Set for kinds that affect connections. A connection comes before its request: they need the operation `*`. */
  readonly affectsConnections?: true;
  /** Set for kinds of which only calls that change something know. They come after authentication and validation. */
  readonly affectsWrites?: true;
}

/** The parameters that a fault of a kind takes; one of which a request is carried out later also takes the time until then. */
export function parametersOf(
  { parameters = [] }: FaultDefinition,
  when: Timing | undefined,
): readonly FaultParameter[] {
  return when === "later" ? [...new Set([...parameters, "milliseconds", "requests"] as const)] : parameters;
}
