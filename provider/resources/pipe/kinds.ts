import { type Data, isObject } from "../../values/data";

/** The kinds of sources that are databases, as messages name them. */
export const databases: { readonly [kind: string]: string } = {
  ...{ postgres: "Postgres", mysql: "MySQL", mongodb: "MongoDB", bigquery: "BigQuery" },
};

/** Whether a kind of source is a database: its pipe has tables of its own, and neither settings nor replicas. */
export const isDatabase = (kind: string): boolean => Object.hasOwn(databases, kind);

/** The kinds of sources. */
export const kinds: readonly string[] = [
  ...(["kafka", "kinesis", "objectStorage", "pubsub"] as const),
  ...Object.keys(databases),
];

/** The source of a pipe: its kind, and the members of that. */
export interface Source {
  readonly kind: string;
  readonly members: Data;
}

/** The source in inputs or in an answer; undefined where there is none, or it is not known yet. */
export function sourceIn({ source }: Data): Source | undefined {
  if (!isObject(source)) return undefined;
  const kind = kinds.find((name) => isObject(source[name]));
  return kind === undefined ? undefined : { kind, members: source[kind] as Data };
}
