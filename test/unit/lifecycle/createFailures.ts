import { PossiblyCreated } from "../../../provider/api/errors";
import { failureOfType } from "../api/failure";
import { place } from "./service";

const look = `before you run the update again, run npx pipestack orphans; if it lists an alert named "Slow" on service ${place.serviceId}, adopt it with adoptId or delete it`;

/** What an error says after its first line of an object that may exist, or come to be, although no list shows it. */
export const unseen = `The request may have been carried out, or may still be: ${look}`;

/** The same where new objects are there, none of which has the content that was sent. */
export const turnedInto = (...ids: string[]) =>
  `${unseen}. The service may have turned it into one of these: ${ids.join(", ")}`;

/** The same where these may be it. */
export const oneOf = (noun: string, remedy: string, ids: readonly string[]) =>
  `The request may have been carried out. If one of these ${noun} is yours, ${remedy}: ${ids.join(", ")}`;

export const oneOfAlerts = (...ids: string[]) => oneOf("alerts", "adopt it with adoptId or delete it", ids);
/** The same where lists are known to lag. */
export const oneOfAlertsOrUnseen = (...ids: string[]) =>
  `${oneOfAlerts(...ids)}. Lists have lacked what this run created, so it may be none of these: ${look}`;
export const oneOfKeys = (...ids: string[]) =>
  oneOf("API keys", "delete it, since its keySecret is lost", ids);

/** What a create that is left in doubt says: what failed, and what may be left. */
export async function doubtOf(creating: Promise<unknown>): Promise<readonly [failure: string, left: string]> {
  const [failure = "", left = ""] = (await failureOfType(creating, PossiblyCreated)).message.split("\n");
  return [failure, left];
}
