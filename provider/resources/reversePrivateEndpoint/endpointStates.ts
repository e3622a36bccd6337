import type { Waiting } from "../../lifecycle/definition";

/** The statuses of a reverse private endpoint that never change again. */
export const failed = ["Rejected", "Failed", "Expired", "Deleting"];

/** The status in which somebody at the cloud provider has to accept the connection of a reverse private endpoint. */
export const pending = "PendingAcceptance";

/**
 * How long the provider waits for an endpoint's creation or deletion: 10 and 50 minutes, like the vendor's Terraform provider.
 */
export const waiting: Waiting = {
  stateMember: "status",
  // The creation ends before the endpoint is accepted: a later resource of the program may accept it, and needs its id for
  // that.
  created: ({ awaitReady }) => ({
    ends: awaitReady === true ? ["Ready"] : ["Ready", pending],
    fails: failed,
  }),
  minutes: (step, { awaitReady }) => (step === "delete" ? 50 : awaitReady === true ? 30 : 10),
};
