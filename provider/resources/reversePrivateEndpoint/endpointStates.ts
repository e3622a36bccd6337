import type { Waiting } from "../../lifecycle/resource";

/** The states of an endpoint that nothing leads out of. */
export const failed = ["Rejected", "Failed", "Expired", "Deleting"];

/** The state in which the owner of the other side has to accept an endpoint. */
export const pending = "PendingAcceptance";

/** How long endpoints take: the vendor's Terraform provider waits 10 minutes for a create, and 50 for a deletion. */
export const waiting: Waiting = {
  stateMember: "status",
  // Its owner may accept it by what the same program does next, with the id that this create gives.
  created: ({ awaitReady }) => ({
    ends: awaitReady === true ? ["Ready"] : ["Ready", pending],
    fails: failed,
  }),
  minutes: (step, { awaitReady }) => (step === "delete" ? 50 : awaitReady === true ? 30 : 10),
};
