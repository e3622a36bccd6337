import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { choice, type FieldValues, textArea, textField } from "../fields";
import { nameColumn, RecordList, type RecordView } from "../records";
import type { ViewProps } from "../viewProps";

const required = { required: true };

const queryFields = (query?: { readonly name: string; readonly sql: string; readonly database: string }) => [
  textField("name", "Name", query?.name ?? "", required),
  textArea("sql", "SQL", query?.sql ?? "SELECT 1", required),
  textField("database", "Database", query?.database ?? "default", required),
];

const sqlColumn = { heading: "SQL", cell: ({ sql }: { sql: string }) => <code dir="auto">{sql}</code> };

const endpoints: RecordView<ConsoleSnapshot["queryApiEndpoints"][number]> = {
  title: "Query API endpoints",
  noun: "endpoint",
  path: "query-api-endpoints",
  rows: ({ queryApiEndpoints }) => queryApiEndpoints,
  columns: [
    nameColumn,
    sqlColumn,
    "database",
    {
      heading: "Keys",
      cell: ({ apiKeyIds }, { keys }) => (
        <span dir="auto">
          {apiKeyIds.map((id) => keys.find((key) => key.id === id)?.name ?? "deleted key").join(", ")}
        </span>
      ),
    },
    "roles",
  ],
  newFields: ({ keys }) => [
    ...queryFields(),
    choice(
      "apiKeyIds",
      "Key",
      keys.map(({ id, name, keySuffix }) => ({ value: id, label: name || `…${keySuffix}` })),
    ),
    textField("roles", "Role of the database", "sql_console_read_only", required),
  ],
  fields: queryFields,
  bodyOf(values, _snapshot, row) {
    if (!row) return { ...values, apiKeyIds: [values.apiKeyIds], roles: [values.roles] };
    const { id, serviceId, ownerType, ...members } = row;
    return { ...members, ...values };
  },
  question: "Nobody will be able to run its query any more.",
};

const saved: RecordView<ConsoleSnapshot["savedQueries"][number]> = {
  title: "Saved queries",
  noun: "query",
  path: "saved-queries",
  rows: ({ savedQueries }) => savedQueries,
  columns: [nameColumn, sqlColumn, "database"],
  newFields: () => queryFields(),
  fields: queryFields,
  bodyOf(values: FieldValues, _snapshot, row) {
    // An update of a saved query clears omitted properties, so the console's form sends them again.
    return { ...(row && { parameters: row.parameters }), ...values };
  },
  question: "It is gone for everybody.",
};

export function Queries({ snapshot, serviceId }: ViewProps) {
  return (
    <>
      <RecordList view={saved} snapshot={snapshot} serviceId={serviceId} />
      <section>
        <RecordList view={endpoints} snapshot={snapshot} serviceId={serviceId} isSecond />
      </section>
    </>
  );
}
