import type { Waiting } from "../../lifecycle/definition";

/** The statuses of a reverse private endpoint that never change again. */
export const failed = ["Rejected", "Failed", "Expired", "Deleting"];

/** The status in which somebody at the cloud provider has to accept the connection of a reverse private endpoint. */
export const pending = "PendingAcceptance";

/**
 * How long the provider waits until a reverse private endpoint is created or deleted: 10 and 50 minutes, like the vendor's
 * Terraform provider.
 */
export const waiting: Waiting = {
  stateMember: "status",
  // The creation of a reverse private endpoint ends before anybody accepts the endpoint: a later resource of the program may
  // accept it, and needs its id for that.
  created: ({ awaitReady }) => ({
    ends: awaitReady === true ? ["Ready"] : ["Ready", pending],
    fails: failed,
  }),
  minutes: (step, { awaitReady }) => (step === "delete" ? 50 : awaitReady === true ? 30 : 10),
};
