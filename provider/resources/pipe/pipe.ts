import type { Definition } from "../../lifecycle/definition";
import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import { contextOf } from "../../lifecycle/scope";
import { declaresNothing, type State } from "../../lifecycle/state";
import { awaitDeleted } from "../../lifecycle/waiting";
import { type Change, shows } from "../../values/compare";
import { type Data, pick } from "../../values/data";
import { valueAt } from "../../values/pairing";
import { keysIn } from "../../values/schema";
import type { Static } from "../../values/schemaBuilders";
import { containsUnknown } from "../../values/unknown";
import { sentenceOf } from "../../values/validate";
import { missingCredentials } from "./credentials";
import { declaredFormOf, withoutEmptyLists } from "./declaredForm";
import { databases, isDatabase, sourceIn } from "./kinds";
import { changeOf, createdWith, creationOf } from "./pipeChange";
import { pipeInputs, pipeOutputs } from "./pipeInputs";
import { pipeFailures, pipeWarnings } from "./pipeRules";
import { isCompleted, titleOf, waiting, wishedState } from "./pipeStates";
import { wayOfPipe } from "./pipeWay";
import { editsOf, mappingsIn } from "./tableMappings";
import { ofRunningService } from "./wake";

type Inputs = Static<typeof pipeInputs>;

const pipe: Resource<Inputs> = resourceOf<Inputs>({
  type: "Pipe",
  noun: "pipe",
  inputs: pipeInputs,
  outputs: pipeOutputs,
  scope: "service",
  dialect: "clickhouse",
  // `pipestack orphans` skips pipes unless `--only` names the type: people also make pipes in the console. A create itself
  // finds a pipe that a killed update left.
  isNoOrphan: "unlessNamed",
  operations: {
    create: "createPipe",
    list: "listPipes",
    get: "getPipe",
    update: "updatePipe",
    delete: "deletePipe",
  },
  calls: ["updatePipeTables", "putPipeSettings", "updatePipeScaling", "updatePipeState", "resyncPipe"],
  namedBy: "name",
  sureMember: "source",
  waiting,

  failures: (declared, olds) => pipeFailures(declared, olds),
  warnings: (declared) => pipeWarnings(declared),

  encode: (body, _settings, current, state = {}, declared = {}) =>
    current ? (changeOf(body, current, state, declared) as unknown as Data) : creationOf(body),

  decode: (answer, declared) => ({
    inputs: declaredFormOf(answer, declared),
    outputs: {
      ...pick(answer, ["createdAt"]),
      ...(typeof answer.state === "string" && { status: answer.state }),
    },
  }),

  told: ({ status }) => {
    const state = wishedState(status);
    return state === undefined ? {} : { state };
  },

  isLike: (object, body) => {
    if (sourceIn(object)?.kind !== sourceIn(body)?.kind) return false;
    const { inputs } = pipe.decode(object, body as Partial<Inputs>, {});
    return shows(pipeInputs, pick(body, ["name", "source", "destination"]), inputs);
  },

  declaration: (live) => withoutEmptyLists(live) as Data,

  judged,

  // When a pipe is replaced, the former pipe is deleted before the new one is created. Otherwise both would read with the same
  // consumer group and fill the same table.
  isDeletedFirst: () => true,

  way: (usual) => wayOfPipe(pipe as unknown as Definition, usual),
});

/** Decides whether a change replaces the pipe, if this depends on the Pulumi state. */
function judged(change: Change, state: State, inputs: Data): Change {
  const { path } = change;
  const [known, wanted] = [createdWith(state), createdWith(inputs)];
  const name = Object.keys(wanted).find((each) => path === each || path.startsWith(`${each}.`));
  // After an import, the Pulumi state lacks properties that no answer shows. Declaring one must not replace the pipe, since a
  // new pipe would load everything again.
  if (name !== undefined && known[name] === undefined) return { ...change, replaces: false };
  if (name !== undefined) return { ...change, replaces: true };
  const isOfSource = /^(source\.|destination\.columns|fieldMappings)/.test(path);
  const [before = {}, now = {}] = [state, inputs].map((data) => sourceIn(data)?.members ?? {});
  const isOfServiceAccount = [before, now].some((members) => members?.authentication === "SERVICE_ACCOUNT");
  const isMoved = path === "source.objectStorage.authentication" && now?.type === "gcs" && isOfServiceAccount;
  const isEditable = !path.endsWith(".tableMappings") || areEditable(now, before);
  const isFixed = isMoved || !isEditable || (isOfSource && isCompleted(state.status));
  return isFixed ? { ...change, replaces: true } : change;
}

/** Whether the tables of a database pipe can be changed in place, as far as a preview knows them. */
function areEditable(now: Data, before: Data): boolean {
  const formerly = mappingsIn(before);
  return containsUnknown(now.tableMappings) || editsOf(mappingsIn(now), formerly, formerly) !== undefined;
}

/**
 * @throws Error if the pipe reads a database and the program does not allow its replacement, or if the program lacks the
 * credentials for a new pipe
 */
function refuseReplacement(id: string, state: State, inputs: Data, known: readonly string[]): void {
  const { kind = "" } = sourceIn(state) ?? {};
  if (isDatabase(kind) && inputs.allowReplacement !== true)
    throw new Error(
      `${known.join(", ")}: the change would replace ${titleOf(id, state)}: a new full load of its ${databases[kind]} source, which fails as long as its tables are in the destination. Drop or rename these, and set allowReplacement: true; or take the change back`,
    );
  const missing = missingCredentials(inputs);
  if (missing.length > 0)
    throw new Error(
      `${known.join(", ")}: the change would replace ${titleOf(id, state)}, and a new pipe cannot be created: ${missing.map(sentenceOf).join("; ")}`,
    );
}

export const pipeResource: typeof pipe = ofRunningService({
  ...pipe,

  async diff(id, state, inputs, session) {
    const changes = await pipe.diff(id, state, inputs, session);
    // If a preview does not know the new value of a property, the value may turn out unchanged. So the preview does not refuse
    // the pipe's replacement because of such a property.
    const isOpen = ({ path }: Change) => containsUnknown(valueAt(inputs, keysIn(path)));
    const known = changes.filter((change) => change.replaces && !isOpen(change)).map(({ path }) => path);
    if (known.length > 0) refuseReplacement(id, state, inputs, known);
    return changes;
  },

  async read(id, state, session) {
    const live = await pipe.read(id, state, session);
    if (declaresNothing(pipe, state) && typeof live === "object")
      for (const { path } of missingCredentials(live.inputs))
        session.warnOnce(
          `${titleOf(id, live.inputs)}: its ${path} are not known, since the service never shows them; declare them before you change them or replace the pipe`,
        );
    return live;
  },

  async delete(id, state, session) {
    await pipe.delete(id, state, session);
    await awaitDeleted(pipe, id, state, contextOf(pipe, state, session));
  },
});
