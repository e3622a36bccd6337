import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { choice, textField } from "../fields";
import { choicesOf, nameColumn, type RecordView } from "../records";
import { change } from "../requests";

/** The saved searches of the service, and the alerts that watch each. */
export const searches: RecordView<ConsoleSnapshot["savedSearches"][number]> = {
  title: "Saved searches",
  noun: "search",
  rows: ({ savedSearches }) => savedSearches,
  columns: [
    nameColumn,
    {
      heading: "Source",
      cell: ({ sourceId, serviceId }, { sources }) => (
        <span dir="auto">
          {choicesOf(sources, serviceId).find(({ value }) => value === sourceId)?.label ?? "deleted source"}
        </span>
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
      isNumber: true,
      cell: ({ id }, { alerts }) => alerts.filter(({ savedSearch }) => savedSearch === id).length,
    },
  ],
  create({ sources }, serviceId) {
    const options = choicesOf(sources, serviceId);
    if (options.length === 0) return undefined;
    return {
      title: "New search",
      fields: [
        textField("name", "Name", "", { required: true }),
        choice("sourceId", "Source", options),
        textField("where", "Query", ""),
      ],
      save: (values) => change("POST", `/services/${serviceId}/saved-searches`, values),
    };
  },
  form({ id, serviceId, teamId, createdAt, updatedAt, ...members }) {
    const path = `/services/${serviceId}/saved-searches/${id}`;
    const { name, where, whereLanguage } = members;
    return {
      title: `Search ${name}`,
      fields: [
        textField("name", "Name", name, { required: true }),
        textField("where", "Query", where),
        choice("whereLanguage", "Language", ["lucene", "sql"], whereLanguage),
      ],
      // An update resets what it omits.
      save: (values) => change("PUT", path, { ...members, ...values }),
      removal: {
        label: "Delete search",
        question: "The service deletes its alerts with it.",
        run: () => change("DELETE", path),
      },
    };
  },
};
