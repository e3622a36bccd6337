import { isObject, type PropertyMap } from "../../values/data";

/** The kinds of pipe sources that are databases, with their names for messages. */
export const databases: { readonly [kind: string]: string } = {
  ...{ postgres: "Postgres", mysql: "MySQL", mongodb: "MongoDB", bigquery: "BigQuery" },
};

/** Whether a pipe source is a database. Its pipe has several tables, and neither settings nor replicas of its own. */
export const isDatabase = (kind: string): boolean => Object.hasOwn(databases, kind);

/** The kinds of sources from which a pipe can read. */
export const kinds: readonly string[] = [
  ...(["kafka", "kinesis", "objectStorage", "pubsub"] as const),
  ...Object.keys(databases),
];

/** The source of a pipe: its kind, such as `kafka`, and the properties of that kind. */
export interface Source {
  readonly kind: string;
  readonly members: PropertyMap;
}

/** The source in the inputs of a pipe or in an answer; undefined if there is none, or if a preview does not know it. */
export function sourceIn({ source }: PropertyMap): Source | undefined {
  if (!isObject(source)) return undefined;
  const kind = kinds.find((name) => isObject(source[name]));
  return kind === undefined ? undefined : { kind, members: source[kind] as PropertyMap };
}
