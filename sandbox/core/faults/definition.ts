/**
 * The times at which an injected fault can take effect. `before`: the request is not carried out. `after`: it is carried out,
 * and only the response is wrong. `later`: it is carried out after its response.
 */
export const timings = ["before", "after", "later"] as const;

export type Timing = (typeof timings)[number];

export const faultParameters = ["seconds", "milliseconds", "requests", "megabytes", "location"] as const;

export type FaultParameter = (typeof faultParameters)[number];

/** The definition of a kind of fault that the sandbox can inject into requests. */
export interface FaultDefinition {
  readonly description: string;
  /**
   * The times at which a fault of this kind can take effect, such as before the request is carried out. The first one is the
   * default.
   */
  readonly when: readonly Timing[];
  readonly parameters?: readonly FaultParameter[];
  /**
   * Set for kinds of faults that affect connections. A connection is made before its request is known, so these faults need the
   * operation `*`.
   */
  readonly affectsConnections?: true;
  /**
   * Set for kinds of faults that only concern requests which change records. Such a fault takes effect after authentication and
   * validation.
   */
  readonly affectsWrites?: true;
}

/**
 * Lists the parameters that a kind of fault takes. A fault with `later` also takes the time until the request is carried out.
 */
export function parametersOf(
  { parameters = [] }: FaultDefinition,
  when: Timing | undefined,
): readonly FaultParameter[] {
  return when === "later" ? [...new Set([...parameters, "milliseconds", "requests"] as const)] : parameters;
}
