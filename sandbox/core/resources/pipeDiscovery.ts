import { documentedRoute, type Route } from "../routes";
import { reachedSource } from "./pipeBodies";
import type { SourceMembers } from "./productPipes";

/** A field in the inferred schema of a pipe's source, with the type that the service would give its column. */
interface Field {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean | null;
}

const id: Field = { name: "id", type: "Int64", optional: false };
const named: readonly Field[] = [
  id,
  { name: "payload", type: "String", optional: true },
  { name: "created_at", type: "DateTime64(3)", optional: null },
];

/**
 * The columns that ClickHouse Cloud infers from a source without column names, such as a CSV file: they are called c1, c2 and
 * so on.
 */
const unnamed: readonly Field[] = named.map((field, index) => ({ ...field, name: `c${index + 1}` }));
const fieldsOf: { readonly [format: string]: readonly Field[] } = {
  ...{ CSV: unnamed, TabSeparated: unnamed },
  JSONAsObject: [{ name: "json", type: "JSON", optional: null }],
};

/**
 * The routes of ClickHouse Cloud for preparing a pipe, such as the inference of a source's columns. No response repeats the
 * source's credentials.
 */
export const routesBesidePipes: readonly Route[] = [
  {
    operation: "getPipesContext",
    method: "GET",
    path: "/context",
    run: ({ service }) => ({
      gcpWorkloadIdentity: {
        supported: true,
        ready: true,
        principal: `ch-${service.id.slice(0, 8)}@clickpipes-sandbox.iam.gserviceaccount.com`,
      },
    }),
  },
  documentedRoute<{ source: object }>({
    operation: "discoverPipeSchema",
    method: "POST",
    path: "/schemaDiscovery",
    run({ body }) {
      const { kind, members } = reachedSource(body.source);
      return { fields: fieldsOf[String(members.format)] ?? named, meta: metaOf(kind, members) };
    },
  }),
];

const metaOf = (kind: string, { topics }: SourceMembers) =>
  kind === "kafka" ? { topic: String(topics).split(",")[0] } : null;
