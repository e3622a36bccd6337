import type { Waiting } from "../../lifecycle/resource";

/** The states of an endpoint that nothing leads out of. */
export const failed = ["Rejected", "Failed", "Expired", "Deleting"];

/** The state in which the owner of the other side has to accept an endpoint. */
export const pending = "PendingAcceptance";

/** How long a create and a deletion are awaited: as long as by the vendor's Terraform provider, 10 and 50 minutes. */
export const waiting: Waiting = {
  stateMember: "status",
  // Its owner may accept it by what the same program does next, with the id that this create gives.
  created: ({ awaitReady }) => ({
    ends: awaitReady === true ? ["Ready"] : ["Ready", pending],
    fails: failed,
  }),
  minutes: (step, { awaitReady }) => (step === "delete" ? 50 : awaitReady === true ? 30 : 10),
};
