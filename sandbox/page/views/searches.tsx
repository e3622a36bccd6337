import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { type Form, newest, useOpenForm } from "../dialog";
import { change } from "../requests";
import { type Column, Empty, Table } from "../table";
import type { ViewProps } from "../viewProps";

type SavedSearch = ConsoleSnapshot["savedSearches"][number];

/** The saved searches of the service, and the alerts that watch each. */
export function Searches({ snapshot, serviceId }: ViewProps) {
  const open = useOpenForm();
  const searches = snapshot.savedSearches.filter((search) => search.serviceId === serviceId);
  const sources = snapshot.sources.filter((source) => source.serviceId === serviceId);
  const columns: Column<SavedSearch>[] = [
    { heading: "Name", cell: ({ name }) => <strong dir="auto">{name}</strong> },
    {
      heading: "Source",
      cell: ({ sourceId }) => (
        <span dir="auto">{sources.find(({ id }) => id === sourceId)?.name ?? "deleted source"}</span>
      ),
    },
    {
      heading: "Query",
      cell: ({ where, whereLanguage, filters }) => (
        <>
          {where === "" ? "all records" : <code dir="auto">{where}</code>}
          {whereLanguage === "sql" && where !== "" ? " (SQL)" : ""}
          {filters.length > 0 ? ` and ${filters.length} more` : ""}
        </>
      ),
    },
    { heading: "Tags", cell: ({ tags }) => <span dir="auto">{tags.join(", ") || "none"}</span> },
    {
      heading: "Alerts",
      cell: ({ id }) => snapshot.alerts.filter(({ savedSearch }) => savedSearch === id).length,
      isNumber: true,
    },
    {
      heading: "",
      cell: (search) => (
        <button
          type="button"
          onClick={() => open(({ savedSearches }) => searchForm(newest(savedSearches, search)))}
        >
          Edit<span class="hidden"> search {search.name}</span>
        </button>
      ),
    },
  ];
  return (
    <>
      <div class="title">
        <h1>Saved searches</h1>
        {sources.length > 0 && (
          <button type="button" onClick={() => open(() => newSearchForm(serviceId, sources))}>
            New search
          </button>
        )}
      </div>
      {searches.length === 0 ? (
        <Empty>This service has no saved searches.</Empty>
      ) : (
        <Table label="Saved searches" columns={columns} rows={searches} />
      )}
    </>
  );
}

function newSearchForm(serviceId: string, sources: ConsoleSnapshot["sources"]): Form {
  const options = sources.map(({ id, name }) => ({ value: id, label: name }));
  return {
    title: "New search",
    fields: [
      { name: "name", label: "Name", kind: "text", value: "", required: true },
      { name: "sourceId", label: "Source", kind: "select", value: options[0]?.value ?? "", options },
      { name: "where", label: "Query", kind: "text", value: "" },
    ],
    save: (values) => change("POST", `/services/${serviceId}/saved-searches`, values),
  };
}

function searchForm({ id, serviceId, teamId, createdAt, updatedAt, ...members }: SavedSearch): Form {
  const path = `/services/${serviceId}/saved-searches/${id}`;
  const { name, where, whereLanguage } = members;
  return {
    title: `Search ${name}`,
    fields: [
      { name: "name", label: "Name", kind: "text", value: name, required: true },
      { name: "where", label: "Query", kind: "text", value: where },
      {
        name: "whereLanguage",
        label: "Language",
        kind: "select",
        value: whereLanguage,
        options: ["lucene", "sql"],
      },
    ],
    // An update resets what it omits.
    save: (values) => change("PUT", path, { ...members, ...values }),
    removal: {
      label: "Delete search",
      question: "The service deletes its alerts with it.",
      run: () => change("DELETE", path),
    },
  };
}
