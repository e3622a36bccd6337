import { mayHaveHappened } from "../api/errors";
import type { Records } from "./records";
import type { Awaited } from "./state";

/** What a step that fails leaves to the next update. A member that is there and undefined is no longer owed. */
export interface Debts {
  /** The state to which the object has to be brought back, such as `running`. */
  goal?: string | undefined;
  /** Digests of values that members of an input, such as `pgConfig.work_mem`, had before: see `attempted` of the Pulumi state. */
  attempted?: Records | undefined;
  /** Whether a new password has to be set, since no answer tells whether the last one was. */
  owesPassword?: true | undefined;
}

/** The error of a step whose wait for an object fails or takes too long. The object exists, so the Pulumi state keeps it. */
export class Unfinished extends Error {
  constructor(
    readonly awaiting: Awaited,
    message: string,
    readonly debts: Readonly<Debts> = {},
  ) {
    super(message);
  }

  /** What the Pulumi state records for the next update. */
  get records(): { readonly awaiting: Awaited } & Readonly<Debts> {
    return { awaiting: this.awaiting, ...this.debts };
  }
}

/**
 * The error of a write of several requests that failed after the API had carried out the first of them. The Pulumi state records
 * that, so the next update does the rest, even if the program goes back to what it declared before.
 */
export class ChangedInPart extends Unfinished {
  constructor(
    override readonly cause: Error,
    debts: Readonly<Debts>,
  ) {
    super("update", cause.message, debts);
  }
}

/** Whether the service may have changed the object although the write failed. */
export function mayHaveChanged(error: unknown): error is Error {
  return error instanceof ChangedInPart || mayHaveHappened(error);
}
