import type { Awaited } from "./state";

/** The error of a step whose wait for an object fails or takes too long. The object exists, so the Pulumi state keeps it. */
export class Unfinished extends Error {
  /** @param goal the state to which the next update has to bring the object back, such as `running`, if this step has left it */
  constructor(
    readonly awaiting: Awaited,
    message: string,
    readonly goal?: string,
  ) {
    super(message);
  }

  /** What the Pulumi state records for the next update. */
  get records(): { readonly awaiting: Awaited; readonly goal?: string } {
    return { awaiting: this.awaiting, ...(this.goal !== undefined && { goal: this.goal }) };
  }
}

/**
 * The error of a write of several requests that failed after the API had carried out the first of them. The Pulumi state records
 * that, so the next update does the rest, even if the program goes back to what it declared before.
 */
export class ChangedInPart extends Unfinished {
  constructor(
    override readonly cause: Error,
    goal?: string,
  ) {
    super("update", cause.message, goal);
  }
}
