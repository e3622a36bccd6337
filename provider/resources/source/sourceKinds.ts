import type { enums } from "../../api/enums.golden";
import type { PropertyMap } from "../../values/data";
import type { RequiredMembers, SourceMembers } from "./sourceMembers";

type Member = keyof SourceMembers;

/** The properties of one kind of data source beside those of all kinds. */
interface Kind {
  readonly required: readonly Member[];
  readonly optional: readonly Member[];
}

const common = ["section", "disabled", "querySettings"] as const;

const searched = [
  ...["serviceNameExpression", "eventAttributesExpression", "resourceAttributesExpression"],
  ...["implicitColumnExpression", "knownColumnsListExpression", "useTextIndexForImplicitColumn"],
  ...["highlightedTraceAttributeExpressions", "highlightedRowAttributeExpressions"],
  ...["materializedViews", "metadataMaterializedViews", "filterSettings", "metricSourceId"],
  ...["serviceVersionExpression", "orderByExpression"],
] as const;

const kinds = {
  log: {
    required: ["defaultTableSelectExpression"],
    optional: [
      ...searched,
      ...["severityTextExpression", "bodyExpression", "displayedTimestampValueExpression"],
      ...["traceSourceId", "traceIdExpression", "spanIdExpression"],
      ...["tableFilterExpression", "eventNameExpression", "severityNumberExpression"],
    ],
  },
  trace: {
    required: [
      ...["defaultTableSelectExpression", "durationExpression", "traceIdExpression", "spanIdExpression"],
      ...["parentSpanIdExpression", "spanNameExpression", "spanKindExpression"],
    ],
    optional: [
      ...searched,
      ...["durationPrecision", "logSourceId", "sessionSourceId"],
      ...["statusCodeExpression", "statusMessageExpression", "spanEventsValueExpression"],
      ...["displayedTimestampValueExpression", "spanLinksValueExpression", "sampleRateExpression"],
    ],
  },
  metric: {
    required: ["metricTables", "resourceAttributesExpression"],
    optional: ["logSourceId", "serviceNameExpression", "seriesTable", "minAutoGranularity"],
  },
  session: {
    required: ["traceSourceId"],
    optional: ["resourceAttributesExpression"],
  },
  promql: { required: [], optional: ["minAutoGranularity"] },
} as const satisfies { readonly [kind in (typeof enums.sourceKind)[number]]: Kind };

export type SourceKind = keyof typeof kinds;

export const sourceKinds = Object.keys(kinds) as [SourceKind, ...SourceKind[]];

/** The kind of a data source; undefined for one that this version does not know. */
export function kindOf({ kind }: PropertyMap): SourceKind | undefined {
  return sourceKinds.find((known) => known === kind);
}

/** The inputs of a data source of one kind, without its name, organization and service. */
export type SourceOfKind<Name extends SourceKind> = Pick<
  SourceMembers,
  keyof RequiredMembers | (typeof kinds)[Name]["required"][number]
> &
  Partial<Pick<SourceMembers, (typeof common)[number] | (typeof kinds)[Name]["optional"][number]>>;

/** The properties that a data source of the given kind requires, beside those that every source requires. */
export function requiredOf(kind: SourceKind): readonly Member[] {
  return kinds[kind].required;
}

/** All properties that a data source of the given kind can have, beside those that every source requires. */
export function membersOf(kind: SourceKind): readonly string[] {
  const { required, optional } = kinds[kind];
  return [...common, ...required, ...optional];
}
