import { decode } from "../../lifecycle/decode";
import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import type { Session } from "../../lifecycle/session";
import { declaresNothing, type State } from "../../lifecycle/state";
import { type Change, shows } from "../../values/compare";
import { type PropertyMap, pick } from "../../values/data";
import { valueAt } from "../../values/pairing";
import { keysIn } from "../../values/schema";
import { containsUnknown } from "../../values/unknown";
import { sentenceOf } from "../../values/validate";
import { firstOf } from "../../values/wording";
import { ofRunningService } from "../serviceState/wake";
import { missingCredentials } from "./credentials";
import { declaredFormOf, withoutEmptyLists } from "./declaredForm";
import { databases, isDatabase, sourceIn } from "./kinds";
import { createPipe, creationOf } from "./pipeCreation";
import { pipeInputs, pipeOutputs } from "./pipeInputs";
import { pipeFailures, pipeWarnings, withoutForeignTunnel } from "./pipeRules";
import { isCompleted, titleOf, waiting, wishedState } from "./pipeStates";
import { stepsOf } from "./pipeSteps";
import { editsOf, mappingsIn, reloadedTables, tableName } from "./tableMappings";

export const pipeResource: Resource = ofRunningService(
  resourceOf({
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
    calls: [
      "updatePipeTables",
      "putPipeSettings",
      "updatePipeScaling",
      "updatePipeState",
      "resyncPipe",
      "getSshTunnel",
      "validateSshTunnel",
    ],
    namedBy: "name",
    completenessField: "source",
    waiting,

    uses: {
      ReversePrivateEndpoint: "They can then no longer reach their brokers",
      SshTunnel: "They can then no longer reach their sources",
    },

    complete: withoutForeignTunnel,
    failures: (declared, olds) => pipeFailures(declared, olds),
    warnings: (declared) => pipeWarnings(declared),

    encode: (body, _settings, current) => (current ? body : creationOf(body)),

    formOf: (live, declared) => ({
      ...pick(live, ["createdAt"]),
      ...(typeof live.state === "string" && { status: live.state }),
      ...declaredFormOf(live, declared),
    }),

    inferredInputs: ({ status }) => {
      const state = wishedState(status);
      return state === undefined ? {} : { state };
    },

    isLike: (object, body) => {
      if (sourceIn(object)?.kind !== sourceIn(body)?.kind) return false;
      const { inputs } = decode(pipeResource, object, body);
      return shows(pipeInputs, pick(body, ["name", "source", "destination"]), inputs);
    },

    declaration: (live) => withoutEmptyLists(live) as PropertyMap,

    refineChange: judged,

    // When a pipe is replaced, the former pipe is deleted before the new one is created. Otherwise both would read with the same
    // consumer group and fill the same table.
    isDeletedFirst: () => true,

    creation: (creating, usual) => createPipe(pipeResource, creating, usual),

    steps: (aim) => stepsOf(pipeResource, aim),

    around: {
      async diff(usual, id, state, inputs, session) {
        const changes = await usual(id, state, inputs, session);
        // If a preview does not know the new value of a property, the value may turn out unchanged. So the preview does not refuse
        // the pipe's replacement because of such a property.
        const isOpen = ({ path }: Change) => containsUnknown(valueAt(inputs, keysIn(path)));
        const known = changes.filter((change) => change.replaces && !isOpen(change)).map(({ path }) => path);
        if (known.length > 0) reportReplacement(id, state, inputs, known, session);
        if (!changes.some(({ replaces }) => replaces)) reportReloads(id, state, inputs, session);
        return changes;
      },

      async read(usual, id, state, session) {
        const live = await usual(id, state, session);
        if (declaresNothing(pipeResource, state) && typeof live === "object")
          for (const { path } of missingCredentials(live.inputs))
            session.warnOnce(
              `${titleOf(id, live.inputs)}: its ${path} are not known, since the service never shows them; declare them before you change them or replace the pipe`,
            );
        return live;
      },
    },
  }),
);

/** Decides whether a change replaces the pipe, if this depends on the Pulumi state. */
function judged(change: Change, state: State, inputs: PropertyMap): Change {
  const { path } = change;
  // No update takes the credentials of a BigQuery source.
  if (/^credentials\b/.test(path) && sourceIn(inputs)?.kind === "bigquery")
    return { ...change, replaces: true };
  const isOfSource = /^(source\.|destination\.columns|fieldMappings)/.test(path);
  const [before = {}, now = {}] = [state, inputs].map((data) => sourceIn(data)?.members ?? {});
  const isOfServiceAccount = [before, now].some((members) => members?.authentication === "SERVICE_ACCOUNT");
  const isMoved = path === "source.objectStorage.authentication" && now?.type === "gcs" && isOfServiceAccount;
  const isEditable = !path.endsWith(".tableMappings") || areEditable(sourceIn(inputs)?.kind, now, before);
  const isFixed = isMoved || !isEditable || (isOfSource && isCompleted(state.status));
  return isFixed ? { ...change, replaces: true } : change;
}

/** Whether the tables of a database pipe can be changed in place, as far as a preview knows them. */
function areEditable(kind = "", now: PropertyMap, before: PropertyMap): boolean {
  const formerly = mappingsIn(before);
  return (
    containsUnknown(now.tableMappings) || editsOf(kind, mappingsIn(now), formerly, formerly) !== undefined
  );
}

/** Names the tables that the update will load anew, since the service changes no mapping of a table in place. */
function reportReloads(id: string, state: State, inputs: PropertyMap, session: Session): void {
  const [before, now] = [sourceIn(state), sourceIn(inputs)];
  if (!now || before?.kind !== now.kind || containsUnknown(now.members.tableMappings)) return;
  const tables = reloadedTables(now.kind, mappingsIn(now.members), mappingsIn(before.members));
  if (tables.length > 0)
    session.warnOnce(
      `${titleOf(id, state)}: the change of its tableMappings will load ${firstOf(tables.map(tableName), 5)} anew, since the service changes no mapping in place: the table is removed from the pipe and added again`,
    );
}

/** What a new pipe in the place of another does, for the preview of a replacement. */
function lossOf({ kind = "" }: { readonly kind?: string } = {}): string {
  return isDatabase(kind)
    ? `a new full load of its ${databases[kind]} source, which fails as long as its tables are in the destination`
    : "the new pipe begins to read anew, and loads what it reads into the table a second time";
}

/**
 * Says what a replacement of the pipe loses.
 * @throws Error if the program does not allow the replacement, or lacks the credentials for a new pipe
 */
function reportReplacement(
  id: string,
  state: State,
  inputs: PropertyMap,
  known: readonly string[],
  session: Session,
): void {
  const replaces = `${known.join(", ")}: the change`;
  const loss = `replace ${titleOf(id, state)}: ${lossOf(sourceIn(state))}`;
  // A preview does not know the id of a service that is replaced, too: refused only in the update, the pipes of the new service
  // would be missing after it is billed.
  const isMoved = known.every((path) => path === "serviceId" || path === "organizationId");
  if (!isMoved && inputs.allowReplacement !== true)
    throw new Error(
      `${replaces} would ${loss}. To allow that, set allowReplacement: true${isDatabase(sourceIn(state)?.kind ?? "") ? ", and drop or rename these tables" : ""}; or take the change back`,
    );
  const missing = missingCredentials(inputs);
  if (missing.length > 0)
    throw new Error(
      `${replaces} would replace ${titleOf(id, state)}, and a new pipe cannot be created: ${missing.map(sentenceOf).join("; ")}`,
    );
  session.warnOnce(`${replaces} will ${loss}`);
}
