import { decode } from "../../lifecycle/decode";
import { resourceOf } from "../../lifecycle/lifecycle";
import { declarationOf } from "../../lifecycle/read";
import type { Resource } from "../../lifecycle/resource";
import {
  adoptable,
  contextOf,
  inService,
  type OrganizationInput,
  type ServiceInput,
} from "../../lifecycle/scope";
import { declaresNothing, outputsIn } from "../../lifecycle/state";
import { shows } from "../../values/compare";
import { isObject, ownMember, type PropertyMap, pick } from "../../values/data";
import { oneOf } from "../../values/schema";
import { type TObject, Type } from "../../values/schemaBuilders";
import { isUnknown } from "../../values/unknown";
import type { Failure } from "../../values/validate";
import { entriesOf } from "../tiles/tiles";
import { circularLinks } from "./circularLinks";
import { sharedLinks, withoutLinks } from "./links";
import { membersOf, requiredOf, type SourceKind, sourceKinds } from "./sourceKinds";
import {
  type OptionalMembers,
  optionalMembers,
  type RequiredMembers,
  requiredMembers,
} from "./sourceMembers";

const ofAllKinds = {
  /**
   * Adopts the existing data source with this id instead of creating one. Has no effect once the source is in the Pulumi state;
   * a change that replaces the source is refused while `adoptId` is declared.
   */
  adoptId: adoptable,
  /** Name of the data source; two sources may have the same name. Default: the name of the resource. */
  name: Type.Optional(Type.String({ minLength: 1 })),
  /**
   * The kind of records in the data source: `log`, `trace`, `metric`, `session` or `promql`. It determines which properties the
   * source has.
   */
  kind: oneOf(sourceKinds),
};

/**
 * Inputs of a data source, from the documentation of HyperDX and from its server, which accepts more. The API document
 * describes none of them.
 */
export const sourceInputs: TObject<
  OrganizationInput & ServiceInput & typeof ofAllKinds & RequiredMembers & OptionalMembers
> = inService({ ...ofAllKinds, ...requiredMembers, ...optionalMembers });

/** A data source has no outputs beyond its inputs. */
export const sourceOutputs = Type.Object({});

export const sourceResource: Resource = resourceOf({
  type: "Source",
  noun: "source",
  inputs: sourceInputs,
  outputs: sourceOutputs,
  scope: "observability",
  operations: {
    create: "createSource",
    list: "listSources",
    get: "getSource",
    update: "updateSource",
    delete: "deleteSource",
  },
  namedBy: "name",

  failures: (declared) => [
    ...kindFailures(declared),
    ...entriesOf(declared.materializedViews).flatMap(([at, view]) => viewFailures(at, view)),
  ],

  encode(body) {
    const { kind, from, metricTables } = body as {
      kind: SourceKind;
      from: PropertyMap;
      metricTables?: PropertyMap;
    };
    return {
      // Servers require `durationPrecision` of a trace source and `from.tableName` of a metric source, though a program may
      // leave them out.
      ...(kind === "trace" ? { durationPrecision: 3 } : {}),
      ...pick(body, [...sharedNames, ...membersOf(kind)]),
      ...(kind === "metric"
        ? { from: { tableName: "", ...from }, metricTables: renamed(metricTables, tableNames) }
        : {}),
    };
  },

  isLike(live, body) {
    const [request, answer] = [body, live].map((object) => decode(sourceResource, object).inputs) as [
      PropertyMap,
      PropertyMap,
    ];
    // Members of a data source that the create request leaves out are not compared if they have the values that the service
    // fills in.
    const comparable = { ...declarationOf(sourceResource, answer), ...pick(answer, Object.keys(request)) };
    return shows(sourceInputs, { ...resets, ...request }, comparable);
  },

  decode: ({ metricTables, ...answer }) => ({
    ...answer,
    ...(metricTables !== undefined && { metricTables: renamed(metricTables, ownTableNames) }),
  }),

  uses: {
    Connection: "Sources and charts of a deleted connection show nothing",
    Source: "The service leaves their references as they are",
  },

  completenessField: "connection",

  keepsUnknown: true,

  around: {
    async check(usual, olds, news, session) {
      const checked = await usual(olds, news, session);
      sharedLinks.noteComing(checked.inputs, Object.keys(olds).length === 0, session);
      return checked;
    },

    async diff(usual, id, state, inputs, session) {
      const [twice] = sharedLinks.noteOwn(id, inputs, session);
      if (twice !== undefined)
        throw new Error(
          `${twice} is declared by the SourceLinks of source ${id}, too; declare it in one of the two`,
        );
      sharedLinks.noteFormer(id, state, session);
      return usual(id, state, inputs, session);
    },

    async create(usual, inputs, session) {
      const created = await usual(inputs, session);
      sharedLinks.noteOwn(created.id, inputs, session);
      return created;
    },

    // What a `SourceLinks` declares is its own to set, and it may have done so already.
    update: (usual, id, state, inputs, session) =>
      usual(id, withoutLinks(state, sharedLinks.otherOf(id, session)), inputs, session),

    async read(usual, id, state, session) {
      const live = await usual(id, state, session);
      if (typeof live !== "object" || !declaresNothing(sourceResource, state)) return live;
      const links = await circularLinks(id, contextOf(sourceResource, live.inputs, session));
      if (links.length === 0) return live;
      const declared = Object.entries(live.inputs).filter(([name]) => !links.includes(name));
      return usual(
        id,
        { ...outputsIn(sourceResource, live.state), ...Object.fromEntries(declared) },
        session,
      );
    },
  },
});

const sharedNames = ["name", "kind", ...Object.keys(requiredMembers)];

/** The service answers null for an optional member of a data source unless a request has set it. */
const resets = Object.fromEntries(Object.keys(optionalMembers).map((name) => [name, null]));

/**
 * The API's names of metric kinds for which programs have another name, since not every language allows a space in the name of
 * a property.
 */
const tableNames = { exponentialHistogram: "exponential histogram" };
const ownTableNames = { "exponential histogram": "exponentialHistogram" };

function renamed(tables: unknown, names: { readonly [name: string]: string }): unknown {
  if (!isObject(tables)) return tables;
  return Object.fromEntries(
    Object.entries(tables).map(([name, table]) => [ownMember(names, name) ?? name, table]),
  );
}

/**
 * The failures for members that the `kind` of a data source requires and that are missing, and for members that this kind
 * cannot have.
 */
function kindFailures(declared: PropertyMap): Failure[] {
  const { kind, from } = declared as { kind: SourceKind; from: PropertyMap };
  if (isUnknown(kind)) return [];
  const ofKind = `when kind is ${JSON.stringify(kind)}`;
  const isMissing = (name: string) => declared[name] === undefined;
  const needsTable = kind !== "metric" && isObject(from) && from.tableName === undefined;
  const missing = [...requiredOf(kind).filter(isMissing), ...(needsTable ? ["from.tableName"] : [])];
  const declaredMembers = Object.keys(optionalMembers).filter((name) => !isMissing(name));
  const foreign = declaredMembers.filter((name) => !membersOf(kind).includes(name));
  return [
    ...missing.map((path) => ({ path, message: `is required ${ofKind}` })),
    ...foreign.map((path) => ({ path, message: `does not apply ${ofKind}` })),
  ];
}

function viewFailures(at: number, { aggregatedColumns }: PropertyMap): Failure[] {
  return entriesOf(aggregatedColumns).flatMap(([column, { aggFn, sourceColumn }]) =>
    typeof aggFn === "string" && !isUnknown(aggFn) && aggFn !== "count" && sourceColumn === undefined
      ? [
          {
            path: `materializedViews[${at}].aggregatedColumns[${column}].sourceColumn`,
            message: "is required unless aggFn is count",
          },
        ]
      : [],
  );
}
