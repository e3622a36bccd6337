import type { Operation } from "../../api/operations";
import type { RequiredMembers, SourceMembers } from "./sourceMembers";

type Member = keyof SourceMembers;

/** One kind of source: the names of its members beside those of all kinds. */
interface Kind {
  readonly required: readonly Member[];
  readonly optional: readonly Member[];
  /** Those that of this kind the observability API alone takes. */
  readonly onlyObservability: readonly Member[];
}

const common = ["section", "disabled", "querySettings"] as const;

/** Further members of searchable sources. */
const searched = [
  ...["serviceNameExpression", "eventAttributesExpression", "resourceAttributesExpression"],
  ...["implicitColumnExpression", "knownColumnsListExpression", "useTextIndexForImplicitColumn"],
  ...["highlightedTraceAttributeExpressions", "highlightedRowAttributeExpressions"],
  ...["materializedViews", "metadataMaterializedViews", "filterSettings", "metricSourceId"],
] as const;
const searchedByObservability = ["serviceVersionExpression", "orderByExpression"] as const;

const kinds = {
  log: {
    required: ["defaultTableSelectExpression"],
    optional: [
      ...searched,
      ...["severityTextExpression", "bodyExpression", "displayedTimestampValueExpression"],
      ...["traceSourceId", "traceIdExpression", "spanIdExpression"],
    ],
    onlyObservability: [
      ...searchedByObservability,
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
    ],
    onlyObservability: [
      ...searchedByObservability,
      ...["displayedTimestampValueExpression", "spanLinksValueExpression", "sampleRateExpression"],
    ],
  },
  metric: {
    required: ["metricTables", "resourceAttributesExpression"],
    optional: ["logSourceId"],
    onlyObservability: ["serviceNameExpression", "seriesTable", "minAutoGranularity"],
  },
  session: {
    required: ["traceSourceId"],
    optional: [],
    onlyObservability: ["resourceAttributesExpression"],
  },
  promql: { required: [], optional: [], onlyObservability: ["minAutoGranularity"] },
} as const satisfies { readonly [kind: string]: Kind };

export type SourceKind = keyof typeof kinds;

export const sourceKinds = Object.keys(kinds) as [SourceKind, ...SourceKind[]];

/** The inputs of sources of one kind, beside name and scope. */
export type SourceOfKind<Name extends SourceKind> = Pick<
  SourceMembers,
  keyof RequiredMembers | (typeof kinds)[Name]["required"][number]
> &
  Partial<
    Pick<
      SourceMembers,
      | (typeof common)[number]
      | (typeof kinds)[Name]["optional"][number]
      | (typeof kinds)[Name]["onlyObservability"][number]
    >
  >;

/** The members that a source of a kind must have, beside those of every kind. */
export function requiredOf(kind: SourceKind): readonly Member[] {
  return kinds[kind].required;
}

/**
 * All members that a source of a kind can have beside those that every source has; of them those that requests to one API
 * take, if one is given.
 */
export function membersOf(kind: SourceKind, api?: Operation["api"]): readonly string[] {
  const { required, optional, onlyObservability } = kinds[kind];
  return [...common, ...required, ...optional, ...(api === "management" ? [] : onlyObservability)];
}
