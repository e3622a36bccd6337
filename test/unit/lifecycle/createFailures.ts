import { PossiblyCreated } from "../../../provider/api/errors";
import { failureOfType } from "../api/failure";
import { place } from "./scriptedService";

const adopted = "adopt it with adoptId or delete it";
const onService = (object: string) => `${object} on service ${place.serviceId}`;
const slowAlert = onService('an alert named "Slow"');
const look = (description: string, remedy: string) =>
  `before you run the update again, run npx pipestack orphans; if it lists ${description}, ${remedy}`;

/** The end of the error message of a create whose object may exist, or may still be created, although no list shows it. */
export const unseen = `The request may have been carried out, or may still be: ${look(slowAlert, adopted)}`;

/** The end of the error message of a create after which new objects exist, but none with the sent content. */
export const turnedInto = (...ids: string[]) =>
  `${unseen}. The service may have turned it into one of these: ${ids.join(", ")}`;

/** The end of the error message of a create after which one of the named objects may be the created one. */
const oneOf = (nouns: string, description: string, remedy: string, ids: readonly string[]) =>
  `The request may have been carried out. If one of these ${nouns} is yours, ${remedy}: ${ids.join(", ")}. Yours may be none of these: ${look(description, remedy)}`;

export const oneOfAlerts = (...ids: string[]) => oneOf("alerts", slowAlert, adopted, ids);
export const oneOfDashboards = (...ids: string[]) =>
  oneOf("dashboards", onService('a dashboard named "Board"'), adopted, ids);
export const oneOfKeys = (...ids: string[]) => {
  const description = `an API key named "reporting" in organization ${place.organizationId}`;
  return oneOf("API keys", description, "delete it, since its keySecret is lost", ids);
};

/** Returns the two parts of the error of a create with an unknown outcome: the failure, and which objects may exist. */
export async function doubtOf(creating: Promise<unknown>): Promise<readonly [failure: string, left: string]> {
  const [failure = "", left = ""] = (await failureOfType(creating, PossiblyCreated)).message.split("\n");
  return [failure, left];
}
