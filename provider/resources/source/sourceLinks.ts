import { RefusedRequest } from "../../api/errors";
import { withWritten } from "../../lifecycle/attempts";
import { bodyOf } from "../../lifecycle/body";
import { takeOver } from "../../lifecycle/create";
import { decode } from "../../lifecycle/decode";
import { resourceOf } from "../../lifecycle/lifecycle";
import { look, wholeOf } from "../../lifecycle/look";
import { aboutObject, observe } from "../../lifecycle/observe";
import type { Resource } from "../../lifecycle/resource";
import { putBack } from "../../lifecycle/restore";
import { type Context, contextOf, inService } from "../../lifecycle/scope";
import { declaredIn, declaresNothing, isSeen, seenOrGone, trackingOf } from "../../lifecycle/state";
import type { Aim, At, Request } from "../../lifecycle/steps";
import { warnOfLost } from "../../lifecycle/unmanagedFields";
import { isSameId, type PropertyMap, pick } from "../../values/data";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import { isUnknown } from "../../values/unknown";
import type { Failure } from "../../values/validate";
import { firstOf } from "../../values/wording";
import { linkNames, sharedLinks, withoutLinks } from "./links";
import { sourceResource } from "./source";
import { kindOf, membersOf, requiredOf } from "./sourceKinds";

const link = { minLength: 1, of: "Source", reset: null } as const;

/** Inputs of the links from one data source to others. Only declared links are changed and compared. */
export const sourceLinksInputs = inService({
  /** Id of the data source that gets the links: the `id` of a `Source`. */
  sourceId: Type.String({ minLength: 1, of: "Source", replaces: "declared" }),
  /** Id of the source of the logs that belong to the source's records. Only for sources of traces and metrics. */
  logSourceId: Type.Optional(Type.String(link)),
  /** Id of the source of the traces that belong to the source's records. Only for sources of logs and sessions. */
  traceSourceId: Type.Optional(Type.String(link)),
  /** Id of the source of the metrics that belong to the source's records. Only for sources of logs and traces. */
  metricSourceId: Type.Optional(Type.String(link)),
  /** Id of the source of the sessions that belong to the source's records. Only for sources of traces. */
  sessionSourceId: Type.Optional(Type.String(link)),
  /**
   * What destroying the resource does: `restore` (default) gives the source the links back that it had before the resource was
   * created, or none; `keep` leaves the links as they are.
   */
  onDestroy: Type.Optional(oneOf(["keep", "restore"], { sent: "never" })),
});

/** Links of a data source have no outputs beyond their inputs. */
export const sourceLinksOutputs = Type.Object({});

export const sourceLinksResource: Resource = resourceOf({
  type: "SourceLinks",
  noun: "links of source",
  inputs: sourceLinksInputs,
  outputs: sourceLinksOutputs,
  scope: "observability",
  dialect: "clickhouse",
  isNoOrphan: true,
  isPartOf: ["Source"],
  operations: { create: "updateSource", list: "listSources", get: "getSource", update: "updateSource" },

  idIn: ({ sourceId }) => (typeof sourceId === "string" ? sourceId : undefined),

  failures: (declared) =>
    linkNames.some((name) => declared[name] !== undefined)
      ? []
      : [{ path: "", message: `declare at least one of ${linkNames.join(", ")}` }],

  decode: ({ id, ...source }) => ({ sourceId: id, ...pick(source, linkNames) }),

  completenessField: "connection",

  // A source without links has none to import.
  async look(at, usual) {
    const observed = await usual(at);
    const isImport = at.moment === "read" && declaresNothing(sourceLinksResource, at.state);
    return isImport && isSeen(observed) && linkNames.every((name) => !observed[name]) ? "gone" : observed;
  },

  // An update of a source replaces all of it. So the request is made of a look at the source just before it, not of the list that
  // other updates share.
  steps: (aim) => [writeLinks(changesIn(aim))],

  around: {
    async check(usual, olds, news, session) {
      const checked = await usual(olds, news, session);
      const { sourceId } = checked.inputs;
      if (checked.failures.length > 0 || isUnknown(sourceId)) return checked;
      const declared = declaredIn(sourceLinksResource, checked.inputs);
      const twice = sharedLinks.noteOther(sourceId, declared, session).surely.map(
        (path): Failure => ({
          path,
          message: "is declared by the Source, too; declare it in one of the two",
        }),
      );
      if (twice.length > 0 || session.isOffline || Object.keys(olds).length > 0)
        return { ...checked, failures: twice };
      const context = contextOf(sourceLinksResource, declared, session);
      const source = await session.lists
        .find("listSources", context.scope, String(sourceId), "write")
        .catch(() => undefined);
      return { ...checked, failures: source ? foreignLinks(source, declared) : [] };
    },

    create(_usual, inputs, session) {
      const declared = declaredIn(sourceLinksResource, inputs);
      const context = contextOf(sourceLinksResource, declared, session);
      return takeOver(sourceLinksResource, String(declared.sourceId), declared, context);
    },

    // The update of the Source writes the links that move, and says so itself where somebody else has changed them.
    update(usual, id, state, inputs, session) {
      const own = withoutLinks(state, sharedLinks.ownOf(id, session));
      const shown = sharedLinks.formerOf(id, inputs, session);
      return usual(id, withWritten(sourceLinksResource, own, shown), inputs, session);
    },

    async delete(_usual, id, state, session) {
      if (state.onDestroy === "keep" || session.run.isDeleted(sourceResource, id)) return;
      const context = contextOf(sourceLinksResource, state, session);
      const source = seenOrGone(
        await look(sourceLinksResource, { moment: "beforeWrite", id, state, context }),
      );
      if (source === "gone") return;
      const { previous } = trackingOf(state);
      const moved = sharedLinks.ownOf(id, session);
      const declared = linkNames.filter((name) => declaredIn(sourceLinksResource, state)[name] !== undefined);
      const own = declared.filter((name) => !moved.includes(name) && isSameId(source[name], state[name]));
      const others = declared.filter((name) => !moved.includes(name) && !own.includes(name) && source[name]);
      if (others.length > 0)
        session.warnOnce(
          `SourceLinks: source ${id} keeps ${named(others)}, which somebody else has changed since`,
        );
      const values = await existingLinks(pick(previous ?? {}, own), context);
      const needed = own.filter((name) => isRequired(name, source) && values[name] === undefined);
      if (needed.length > 0)
        session.warnOnce(
          `SourceLinks: source ${id} keeps ${named(needed)}, without which the service takes no source of its kind`,
        );
      const undone = own.filter((name) => !needed.includes(name));
      if (undone.length === 0) return;
      if (!previous)
        session.warnOnce(
          `SourceLinks: source ${id} loses ${named(undone)}, since the Pulumi state does not say which links were there before`,
        );
      const left = linkNames.filter((name) => !undone.includes(name));
      await putBack(sourceLinksResource, id, { sourceId: id, ...values }, withoutLinks(state, left), session);
    },
  },
});

const named = (names: readonly string[]) => firstOf(names, linkNames.length);

/** The links that an update sets, and null for those that it clears. Links that nobody declares are not among them. */
function changesIn({ declared, desired, state }: Aim): PropertyMap {
  const former = { ...declaredIn(sourceLinksResource, state), ...desired };
  const changed = linkNames.filter((name) => declared[name] !== undefined || former[name] !== undefined);
  return Object.fromEntries(changed.map((name) => [name, desired[name] ?? null]));
}

/** The request of a whole source with changed links, since one that leaves a member out would clear it. */
function writeLinks(changes: PropertyMap): Request {
  const desired = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null));
  let before: PropertyMap = {};
  let full: PropertyMap = {};
  return {
    operation: "updateSource",
    repeatsLook: true,
    async body(at) {
      const source = await lookAtSource(changes, at);
      const { inputs, outputs } = decode(sourceResource, source);
      before = inputs;
      const parts = {
        desired,
        // What was declared before, and is not desired any longer, is not repeated, which clears it.
        before: pick(inputs, Object.keys(changes)),
        live: { ...inputs, ...outputs },
        state: {},
        answer: source,
      };
      full = bodyOf(sourceResource, `source ${at.id}`, parts, at.context.session).full;
      return full;
    },
    rescue(error, { id }) {
      // What the request repeats belongs to others, so nothing of it is left out for the sake of a link.
      if (error instanceof RefusedRequest)
        throw new Error(
          `${error.message}\nThe request repeats all that source ${id} has, and nothing was written: take out of the source what the service refuses`,
        );
      throw error;
    },
    shown(answer, { id, context }) {
      const { session } = context;
      aboutObject(answer, "updateSource", id, session);
      const shown = decode(sourceResource, answer).inputs;
      warnOfLost(`source ${id}`, { full, declaredOnly: () => desired }, before, shown, session);
      return wholeOf(sourceLinksResource, answer, id, context);
    },
  };
}

/** @throws Error if there is no such source, or if it cannot have the links */
async function lookAtSource(changes: PropertyMap, { id, context }: At): Promise<PropertyMap> {
  const observed = await observe(sourceResource, id, context, { asOf: "write", isDoubtful: () => true });
  const source = seenOrGone(observed);
  if (source === "gone") throw new Error(`there is no source ${id}, whose links the program declares`);
  if (!kindOf(source))
    throw new Error(
      `source ${id} is of the kind ${JSON.stringify(source.kind)}, which this version does not know: setting its links could lose what it has, so nothing was written`,
    );
  const [foreign] = foreignLinks(source, changes);
  if (foreign) throw new Error(`source ${id}: ${foreign.path} ${foreign.message}`);
  return source;
}

/** The failures for links that sources of this kind cannot have. A server takes such a member, and drops it without a word. */
function foreignLinks(source: PropertyMap, links: PropertyMap): Failure[] {
  const kind = kindOf(source);
  if (!kind) return [];
  return linkNames
    .filter((name) => (links[name] ?? undefined) !== undefined && !membersOf(kind).includes(name))
    .map((path) => ({ path, message: `does not apply, since the source is of the kind "${kind}"` }));
}

function isRequired(name: string, source: PropertyMap): boolean {
  const kind = kindOf(source);
  return kind !== undefined && requiredOf(kind).some((each) => each === name);
}

/** Those of the former links whose sources still exist. */
async function existingLinks(links: PropertyMap, { session, scope }: Context): Promise<PropertyMap> {
  const present = Object.entries(links).filter(([, id]) => id !== null && id !== "");
  if (present.length === 0) return {};
  const sources = await session.lists.read("listSources", scope);
  return Object.fromEntries(present.filter(([, id]) => sources.some((source) => isSameId(source.id, id))));
}
