import type { Service } from "../../api/answers.golden";
import { mayHaveHappened, RefusedRequest } from "../../api/errors";
import type { Settings } from "../../api/settingsSchema";
import { aboutObject } from "../../lifecycle/observe";
import { seenAfter } from "../../lifecycle/polling";
import type { At, Step } from "../../lifecycle/steps";
import { equal } from "../../values/compare";
import type { PropertyMap } from "../../values/data";
import { schemaAt } from "../../values/schema";
import type { TObject } from "../../values/schemaBuilders";
import { limitsOf, requestsFor } from "./scalingRules";

/**
 * The requests that change the scaling of a service. For a while after the change, the service may show the old values, or 0, so the
 * service is read until it shows the new values.
 */
export function scalingSteps(schema: TObject, body: PropertyMap, settings: Settings): readonly Step[] {
  let answered: PropertyMap = {};
  const requests = requestsFor(body, settings).map(
    ([operation, part]): Step => ({
      operation,
      body: part,
      shown(answer, { id, context }) {
        answered = aboutObject(answer, operation, id, context.session);
        return undefined;
      },
      rescue: (error, at) => foundAfter(error, (live) => shows(schema, live, part), part, at),
    }),
  );
  const isShown = (live: PropertyMap) => shows(schema, live, body);
  return [...requests, { ensure: (at) => seenAfter(answered, isShown, () => find(at), at.context.session) }];
}

/** The service after a lost answer, if it shows that the change was carried out. A refusal names the limits of the values. */
async function foundAfter(
  error: unknown,
  isShown: (live: PropertyMap) => boolean,
  part: PropertyMap,
  at: At,
): Promise<PropertyMap> {
  if (error instanceof RefusedRequest) {
    const limits = limitsOf(part, error.reason);
    throw limits === "" ? error : new RefusedRequest(error.site, `${error.reason}; ${limits}`);
  }
  if (!mayHaveHappened(error)) throw error;
  const live = await find(at).catch(() => undefined);
  if (!live || !isShown(live)) throw error;
  return live;
}

export async function find({
  id,
  context: { session, scope },
}: Pick<At, "id" | "context">): Promise<Service> {
  const answer = await session.call("getService", { ...scope, serviceId: id });
  return aboutObject(answer, "getService", id, session);
}

function shows(schema: TObject, answer: PropertyMap, body: PropertyMap): boolean {
  return Object.keys(body).every((name) => equal(schemaAt(schema, name), answer[name], body[name]));
}
