import { MissingObject, mayHaveHappened, RefusedRequest } from "../../api/errors";
import { refuseDuplicate } from "../../lifecycle/duplicates";
import { resourceOf } from "../../lifecycle/lifecycle";
import { seenAfter } from "../../lifecycle/polling";
import type { Resource } from "../../lifecycle/resource";
import { type Context, contextOf } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { settling, unsettled } from "../../lifecycle/settling";
import { declaredIn, isSeen, keptIn, type State, sentPart } from "../../lifecycle/state";
import { type Aim, type Step, silently, when } from "../../lifecycle/steps";
import { differences, shows } from "../../values/compare";
import { isSameId, type PropertyMap, pick } from "../../values/data";
import { isUnknown } from "../../values/unknown";
import type { Failure } from "../../values/validate";
import { listedIds } from "../../values/wording";
import { minutesIn, settled } from "../udfs/settling";
import { awaitBuild, buildOf } from "./build";
import { withHash, withUpload } from "./code";
import { udfInputs, udfOutputs } from "./udfInputs";

const defaultMinutes = 30;

export const udfResource: Resource = resourceOf({
  type: "Udf",
  noun: "UDF",
  inputs: udfInputs,
  outputs: udfOutputs,
  scope: "organization",
  dialect: "clickhouse",
  // `pipestack orphans` skips functions unless `--only` names the type: queries of other people may call them.
  isNoOrphan: "unlessNamed",
  operations: {
    create: "createUdf",
    list: "listUdfs",
    get: "getUdf",
    update: "createUdfVersion",
    delete: "deleteUdf",
  },
  calls: ["createUdfUpload", "listUdfAttachments"],
  namedBy: "functionName",
  isNamedInOrganization: true,
  completenessField: "runtime",

  // The name is unique in the organization.
  isDeletedFirst: ({ functionName }, inputs) =>
    isUnknown(inputs.functionName) || inputs.functionName === functionName,

  complete: withHash,
  failures,

  // A version that is carried over from a pool has its size, which single commands must not have. They alone may have no limit of
  // their time, which a request has to repeat: without the member, it gives them the default.
  encode: ({ poolSize, ...body }, _settings, current) => ({
    ...(body.type === "executable" &&
      current !== undefined &&
      !("maxCommandExecutionTime" in current) && { maxCommandExecutionTime: null }),
    ...body,
    ...(poolSize !== undefined && body.type !== "executable" && { poolSize }),
  }),

  // No answer shows the code, so a listed function is compared by all else.
  isLike: (object, { uploadId: _, sourceHash: __, ...body }) => shows(udfInputs, body, object),

  async creation(creating, usual) {
    const { body, inputs, context } = creating;
    const { session, scope } = context;
    const { functionName, sourceHash } = body;
    const existing: readonly PropertyMap[] = await session.lists.read("listUdfs", scope, {
      asOf: "creation",
    });
    const likes = existing.filter((udf) => udf.functionName === functionName);
    const likeness = `of organization ${scope.organizationId} is also named ${JSON.stringify(functionName)}`;
    refuseDuplicate(udfResource, likes, likeness, context, "choose another functionName");
    refuseOtherCase(String(functionName), existing);
    const created = await usual({ ...creating, body: await withUpload(body, inputs, context) });
    return { ...created, object: { ...created.object, sourceHash } };
  },

  /**
   * Says of the code what can be known of it: it is that of the Pulumi state as long as the version is, and somebody else's
   * otherwise.
   */
  async look(look, usual) {
    const { state, moment, id, context } = look;
    const observed = await usual(look);
    if (!isSeen(observed)) return observed;
    // Names that differ in their case are different functions, but lists are searched for ids in any case.
    const udf: PropertyMap =
      observed.functionName === id
        ? observed
        : await context.session.call("getUdf", { ...context.scope, id });
    if (moment === "afterWrite" || state.version === undefined) return udf;
    const isKnown = udf.version === state.version;
    const sourceHash = isKnown
      ? state.sourceHash
      : `that of version ${udf.version}, published by somebody else`;
    return { ...udf, ...(sourceHash !== undefined && { sourceHash }) };
  },

  steps: stepsOf,

  around: {
    plan(usual, state, inputs, session, id) {
      const planned = usual(state, inputs, session, id);
      const isKept = state && !isUnsettled(state) && changesIn(state, inputs).length === 0;
      return isKept ? { ...planned, ...pick(state, Object.keys(udfOutputs.properties)) } : planned;
    },

    ...settling(built, afterFailure),

    async delete(usual, id, state, session) {
      const context = contextOf(udfResource, declaredIn(udfResource, state), session);
      await refuseAttached(id, context);
      await settled(
        `UDF ${id}`,
        minutesIn(state, defaultMinutes),
        async () => {
          try {
            await usual(id, state, session);
            return { status: "deleted", isSettled: true };
          } catch (error) {
            // The service deletes no function while a version is built or a service takes it off.
            if (!(error instanceof RefusedRequest) || error.site.status !== 409) throw error;
            return { status: `in use (${error.reason})`, isSettled: false };
          }
        },
        session,
      );
    },
  },
});

const isUnsettled = (state: State) => keptIn(state).awaiting !== undefined;

/** The differences of what requests send between a Pulumi state and new inputs. */
const changesIn = (state: State, inputs: PropertyMap) =>
  differences(
    udfInputs,
    sentPart(udfResource, declaredIn(udfResource, state)),
    sentPart(udfResource, declaredIn(udfResource, inputs)),
  );

function failures(inputs: PropertyMap, olds: PropertyMap | undefined): Failure[] {
  const { adoptId, sourcePath, type, poolSize, runtime, sandboxType } = inputs;
  const found: Failure[] = [];
  if (!olds && (sourcePath ?? undefined) === undefined && (adoptId ?? undefined) === undefined)
    found.push({
      path: "sourcePath",
      message: "is missing: name the folder, the file or the ZIP with the code",
    });
  if (type === "executable" && (poolSize ?? undefined) !== undefined)
    found.push({ path: "poolSize", message: 'goes with the type "executable_pool" alone: take it out' });
  if (runtime === "native" && sandboxType === "netenable")
    found.push({
      path: "sandboxType",
      message: "must be basic for native code: the service gives it no other",
    });
  return found;
}

/** Ids are compared in any case, so functions whose names differ in it alone would be taken for one. */
function refuseOtherCase(name: string, existing: readonly PropertyMap[]): void {
  const other = existing.find(({ functionName }) => functionName !== name && isSameId(functionName, name));
  if (other)
    throw new Error(
      `functionName: the organization has a UDF ${other.functionName}, from which ${name} differs in the case of letters alone: choose another name`,
    );
}

/**
 * Publishes a version if the newest one is not what the program declares, or its build has failed. What no version has, such as
 * `waitMinutes`, needs none.
 */
function stepsOf({ declared, desired, live }: Aim): readonly Step[] {
  const isAsDeclared = differences(udfInputs, desired, live, "left").length === 0;
  if (isAsDeclared && live.status !== "error") return [{ ensure: async () => live }];
  const { sourceHash } = desired;
  return [
    ...when(
      live.status === "building",
      silently(({ id, context }) =>
        buildOf(id, Number(live.version), minutesIn(declared, defaultMinutes), context),
      ),
    ),
    {
      operation: "createUdfVersion",
      body: ({ context }) => withUpload(desired, declared, context),
      shown: (answer) => ({ ...answer, sourceHash }),
      async rescue(error, { id, context: { session, scope } }) {
        if (!mayHaveHappened(error)) throw error;
        const look = (): Promise<PropertyMap> => session.call("getUdf", { ...scope, id });
        const isNext = ({ version }: PropertyMap) => Number(version) > Number(live.version);
        const now = await seenAfter(await look(), isNext, look, session, [250, 1000, 4000]);
        const { sourceHash: _, ...shown } = desired;
        if (Number(now.version) !== Number(live.version) + 1 || !shows(udfInputs, shown, now)) throw error;
        return now;
      },
    },
  ];
}

/** The Pulumi state of a function once its newest version is built. */
async function built(id: string, state: State, inputs: PropertyMap, session: Session): Promise<State> {
  if (state.status === "ready") return state;
  const context = contextOf(udfResource, declaredIn(udfResource, inputs), session);
  const udf = await awaitBuild(id, Number(state.version), minutesIn(inputs, defaultMinutes), context);
  return withVersion(state, udf);
}

/** A Pulumi state with the outputs of a version, where null means none. */
function withVersion(state: State, udf: PropertyMap): State {
  const { error: _, ...others } = state;
  const shown = Object.entries(pick(udf, Object.keys(udfOutputs.properties)));
  return { ...others, ...Object.fromEntries(shown.filter(([, value]) => value !== null)) };
}

/** The Pulumi state of a function whose version is not built, or not yet, which the next update has to look at. */
async function afterFailure(id: string, state: State, session: Session): Promise<State> {
  const { scope } = contextOf(udfResource, declaredIn(udfResource, state), session);
  const now: PropertyMap = await session.call("getUdf", { ...scope, id }).catch(() => ({}));
  return unsettled(now.version === state.version ? withVersion(state, now) : state);
}

/**
 * Refuses to delete a function that services still run: the service would take it off all of them, and their queries would fail.
 * @throws Error that names the services
 */
async function refuseAttached(id: string, { session, scope }: Context): Promise<void> {
  const { organizationId } = scope;
  try {
    const all = await session.call("listUdfAttachments", { organizationId, id });
    const attached = all.filter(({ status }: PropertyMap) => status !== "deprovisioning");
    if (attached.length > 0)
      throw new Error(
        `UDF ${id} is attached to ${attached.length === 1 ? "service" : "services"} ${listedIds(attached)}, whose queries may call it: take it off there first, by destroying each UdfAttachment or in the console`,
      );
  } catch (error) {
    if (!(error instanceof MissingObject)) throw error;
  }
}
