import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { nameColumn, RecordList, RecordTable, type RecordView, usersColumn } from "../records";
import { Code, Parts } from "../table";
import type { ViewProps } from "../viewProps";

const sources: RecordView<ConsoleSnapshot["sources"][number]> = {
  title: "Sources",
  noun: "source",
  path: "sources",
  rows: ({ sources }) => sources,
  columns: [
    nameColumn,
    "kind",
    { heading: "Table", cell: ({ table }) => <Code>{table}</Code> },
    usersColumn(
      "Searches",
      ({ savedSearches }) => savedSearches,
      ({ sourceId }, { id }) => sourceId === id,
    ),
  ],
  question: "What shows it will show nothing, and dashboards on it can no longer be updated.",
};

const connections: RecordView<ConsoleSnapshot["connections"][number]> = {
  title: "Connections",
  noun: "connection",
  rows: ({ connections }) => connections,
  columns: [nameColumn, { heading: "Host", cell: ({ host }) => <Parts>{host}</Parts> }, "username"],
};

export function Sources({ snapshot, serviceId }: ViewProps) {
  const hasConnections = snapshot.connections.some((connection) => connection.serviceId === serviceId);
  return (
    <>
      <RecordList view={sources} snapshot={snapshot} serviceId={serviceId} />
      {hasConnections && (
        <section>
          <h2>Connections</h2>
          <RecordTable view={connections} snapshot={snapshot} serviceId={serviceId} />
        </section>
      )}
    </>
  );
}
