import type { Pipe } from "../../api/answers.golden";
import { decode } from "../../lifecycle/decode";
import type { CreatedObject, Creating, Definition } from "../../lifecycle/definition";
import { refuseDuplicate } from "../../lifecycle/duplicates";
import type { Context } from "../../lifecycle/scope";
import { newState } from "../../lifecycle/state";
import { type At, apply } from "../../lifecycle/steps";
import { completed, minutesFor } from "../../lifecycle/waiting";
import { differences, replacesAt } from "../../values/compare";
import { isObject, type PropertyMap, pick } from "../../values/data";
import { activateFor } from "../tunnels/activation";
import { placed, withAuthentication } from "./credentials";
import { isDatabase, sourceIn } from "./kinds";
import { reach } from "./livePipe";
import { waiting, wishedState } from "./pipeStates";

/** The body of the request that creates a pipe. */
export function creationOf({
  state,
  credentials,
  schemaRegistryCredentials,
  ...body
}: PropertyMap): PropertyMap {
  const source = sourceIn(body);
  if (!source) return body;
  const { kind, members } = withAuthentication(source, credentials);
  const { schemaRegistry } = members;
  const isConfluent = isObject(schemaRegistry) && schemaRegistry.url !== undefined;
  return {
    ...body,
    source: {
      [kind]: {
        ...members,
        ...(isConfluent && {
          schemaRegistry: {
            authentication: "PLAIN",
            ...schemaRegistry,
            ...(schemaRegistryCredentials !== undefined && { credentials: schemaRegistryCredentials }),
          },
        }),
        ...placed(kind, credentials),
      },
    },
    // A pipe that reads a database has to start before it can be stopped, so the create request does not ask for `startPaused`.
    ...(state === "stopped" && !isDatabase(kind) && { startPaused: true }),
  };
}

/** Creates a pipe exactly once, waits until it runs, and stops it if the program wants that and a create request cannot say so. */
export async function createPipe(
  pipes: Definition,
  creating: Creating,
  usual: (creating: Creating) => Promise<CreatedObject>,
): Promise<CreatedObject> {
  const { body, inputs, context } = creating;
  if (inputs.allowSameName !== true) await refuseSameName(pipes, body, context);
  const { kind = "", members: { sshKeyResourceId = undefined } = {} } = sourceIn(body) ?? {};
  if (typeof sshKeyResourceId === "string") {
    const path = `source.${kind}.sshKeyResourceId`;
    await activateFor(path, sshKeyResourceId, minutesFor(waiting, "create", inputs), context);
  }
  const created = await usual(creating);
  const { id, object } = created;
  const isRunning = wishedState(object.state) === "running";
  if (created.unfinished || inputs.state !== "stopped" || !isRunning) return created;
  const minutes = minutesFor(waiting, "update", inputs);
  const stop = (at: At) =>
    reach({ ...at, definition: pipes, state: newState(id, object), minutes }, "stopped");
  return completed(pipes, created, "stops it", async () =>
    (await apply([{ ensure: stop }], { id, context, list: "listPipes" })).at(-1),
  );
}

/** Refuses to create a second pipe that has the same name and reads the same source, since both would load the same data. */
async function refuseSameName(
  pipes: Definition,
  body: PropertyMap,
  { session, scope }: Context,
): Promise<void> {
  const all = await session.lists.read("listPipes", scope, { asOf: "now", isWhole: false });
  const likes = all.filter((pipe) => pipe.name === body.name && mayBecome(pipes, pipe, body));
  const likeness = `is also named ${JSON.stringify(body.name)}, reads the same`;
  refuseDuplicate(pipes, likes, likeness, { session, scope });
}

/**
 * Whether updates could turn an existing pipe into the declared one. They could if the two only differ in properties that an
 * update can change.
 */
function mayBecome(pipes: Definition, pipe: Pipe, body: PropertyMap): boolean {
  if (sourceIn(pipe)?.kind !== sourceIn(body)?.kind) return false;
  const { inputs } = decode(pipes, pipe, body);
  const differing = differences(pipes.inputs, pick(body, ["source", "destination"]), inputs, "left");
  return differing.every(({ keys, right }) => right === undefined || !replacesAt(pipes.inputs, keys));
}
