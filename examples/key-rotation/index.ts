import * as pipestack from "pipestack";

/** Each of the two keys is replaced every 60 days, and they take turns: every 30 days one of them. */
const daysPerTurn = 30;
const turn = Math.floor(Date.now() / (daysPerTurn * 24 * 60 * 60 * 1000));

const keys = [0, 1].map(
  (index) =>
    new pipestack.ApiKey(`reporting-${index}`, {
      name: "reporting",
      roles: ["query_endpoints"],
      keepers: { turn: String(Math.floor((turn + index) / 2)) },
    }),
);

/** The newer one. The other stays valid for another 30 days, until all that use it have taken up this one. */
const current = keys[turn % 2];
export const keyId = current?.keyId;
export const keySecret = current?.keySecret;

/** A client that reads its key anew for each run needs one key alone, and no overlap. */
const nightly = new pipestack.ApiKey("nightly", {
  name: "nightly",
  roles: ["query_endpoints"],
  rotateAfterDays: 90,
});
export const nightlySecret = nightly.keySecret;
