import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { nameColumn, Records, RecordTable, type RecordView } from "../records";
import { change } from "../requests";
import { Code, Parts } from "../table";
import type { ViewProps } from "../viewProps";

const sources: RecordView<ConsoleSnapshot["sources"][number]> = {
  title: "Sources",
  noun: "source",
  rows: ({ sources }) => sources,
  columns: [
    nameColumn,
    { heading: "Kind", cell: ({ kind }) => kind },
    { heading: "Table", cell: ({ table }) => <Code>{table}</Code> },
    {
      heading: "Searches",
      isNumber: true,
      cell: ({ id }, { savedSearches }) => savedSearches.filter(({ sourceId }) => sourceId === id).length,
    },
  ],
  form: ({ id, serviceId, name }) => ({
    title: `Source ${name}`,
    fields: [],
    removal: {
      label: "Delete source",
      question: "What shows it will show nothing, and dashboards on it can no longer be updated.",
      run: () => change("DELETE", `/services/${serviceId}/sources/${id}`),
    },
  }),
};

const connections: RecordView<ConsoleSnapshot["connections"][number]> = {
  title: "Connections",
  noun: "connection",
  rows: ({ connections }) => connections,
  columns: [
    nameColumn,
    { heading: "Host", cell: ({ host }) => <Parts>{host}</Parts> },
    { heading: "User", cell: ({ username }) => <span dir="auto">{username || "none"}</span> },
  ],
};

/** The sources of the service, what each holds and the table that it reads, and its connections without their passwords. */
export function Sources({ snapshot, serviceId }: ViewProps) {
  const rows = snapshot.connections.filter((connection) => connection.serviceId === serviceId);
  return (
    <>
      <Records view={sources} snapshot={snapshot} serviceId={serviceId} />
      {rows.length > 0 && (
        <section>
          <h2>Connections</h2>
          <RecordTable label="Connections" view={connections} rows={rows} snapshot={snapshot} />
        </section>
      )}
    </>
  );
}
