import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { type Form, useOpenForm } from "../dialog";
import { change } from "../requests";
import { type Column, Empty, Parts, Table } from "../table";
import type { ViewProps } from "../viewProps";

type Source = ConsoleSnapshot["sources"][number];
type Connection = ConsoleSnapshot["connections"][number];

const connectionColumns: Column<Connection>[] = [
  { heading: "Name", cell: ({ name }) => <strong dir="auto">{name}</strong> },
  { heading: "Host", cell: ({ host }) => <Parts>{host}</Parts> },
  { heading: "User", cell: ({ username }) => <span dir="auto">{username || "none"}</span> },
];

/** The sources of the service, what each holds and the table that it reads, and its connections without their passwords. */
export function Sources({ snapshot, serviceId }: ViewProps) {
  const open = useOpenForm();
  const sources = snapshot.sources.filter((source) => source.serviceId === serviceId);
  const connections = snapshot.connections.filter((connection) => connection.serviceId === serviceId);
  const columns: Column<Source>[] = [
    { heading: "Name", cell: ({ name }) => <strong dir="auto">{name}</strong> },
    { heading: "Kind", cell: ({ kind }) => kind },
    {
      heading: "Table",
      cell: ({ table }) => (
        <span class="mono">
          <Parts>{table}</Parts>
        </span>
      ),
    },
    {
      heading: "Searches",
      cell: ({ id }) => snapshot.savedSearches.filter(({ sourceId }) => sourceId === id).length,
      isNumber: true,
    },
    {
      heading: "",
      cell: (source) => (
        <button type="button" onClick={() => open(() => deletionForm(source))}>
          Delete<span class="hidden"> source {source.name}</span>
        </button>
      ),
    },
  ];
  return (
    <>
      <h1>Sources</h1>
      {sources.length === 0 ? (
        <Empty>This service has no sources.</Empty>
      ) : (
        <Table label="Sources" columns={columns} rows={sources} />
      )}
      {connections.length > 0 && (
        <section>
          <h2>Connections</h2>
          <Table label="Connections" columns={connectionColumns} rows={connections} />
        </section>
      )}
    </>
  );
}

function deletionForm({ id, serviceId, name }: Source): Form {
  return {
    title: `Source ${name}`,
    fields: [],
    removal: {
      label: "Delete source",
      question: "What shows it will show nothing, and dashboards on it can no longer be updated.",
      run: () => change("DELETE", `/services/${serviceId}/sources/${id}`),
    },
  };
}
