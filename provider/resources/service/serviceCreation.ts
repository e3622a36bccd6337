import type { Answer } from "../../api/operations";
import { decode } from "../../lifecycle/decode";
import type { CreatedObject, Creating, Definition } from "../../lifecycle/definition";
import { refuseDuplicate } from "../../lifecycle/duplicates";
import type { Context } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { newState } from "../../lifecycle/state";
import { apply } from "../../lifecycle/steps";
import { completed } from "../../lifecycle/waiting";
import type { PropertyMap } from "../../values/data";
import { failed, stateOf } from "../serviceState/serviceStates";
import { completionOf } from "./serviceSteps";

/** Creates a service exactly once, waits until it runs, and sends what a create request cannot have. */
export async function createService(
  service: Definition,
  creating: Creating,
  usual: (creating: Creating) => Promise<CreatedObject>,
): Promise<CreatedObject> {
  const { body, inputs, context } = creating;
  if (inputs.allowSameName !== true) await refuseSameName(service, body, context);
  const created = await usual(creating);
  if (created.unfinished) return created;
  const { id, object } = created;
  const { inputs: live, outputs } = decode(service, object);
  const steps = completionOf(service, inputs, { ...live, ...outputs }, newState(id, object));
  if (steps.length === 0) return created;
  return completed(service, created, "goes on", async () =>
    (await apply(steps, { id, context, list: "listServices" })).at(-1),
  );
}

/** Names the failed services of the same name, since only their own deletion ends them. */
function warnOfFailed(
  { type }: Pick<Definition, "type">,
  services: Answer<"listServices">,
  { name }: PropertyMap,
  session: Session,
): void {
  const left = services.filter(
    (other) =>
      other.name === name &&
      stateOf(other) === "failed" &&
      !session.run.wasCreated({ type }, String(other.id)),
  );
  for (const { id } of left)
    session.warnOnce(
      `service ${id} is also named ${JSON.stringify(name)}, and has failed: another one is created; unless a resource has the failed one, delete it`,
    );
}

/** Refuses to create a second service of the same name in the same cloud and region, since each service is billed. */
async function refuseSameName(
  service: Definition,
  body: PropertyMap,
  { session, scope }: Context,
): Promise<void> {
  const services = await session.lists.read("listServices", scope, { asOf: "now" });
  const likes = services.filter(
    (other) =>
      (["name", "provider", "region"] as const).every((name) => other[name] === body[name]) &&
      // A service that has failed never ran, and `--replace` is the way to another one in its place.
      !failed.includes(stateOf(other) ?? ""),
  );
  warnOfFailed(service, services, body, session);
  const likeness = `in ${body.provider} ${body.region} is also named ${JSON.stringify(body.name)}`;
  refuseDuplicate(service, likes, likeness, { session, scope });
}
