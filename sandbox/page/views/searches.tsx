import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { choice, textField } from "../fields";
import { choicesOf, nameColumn, type RecordView, usersColumn } from "../records";

export const searches: RecordView<ConsoleSnapshot["savedSearches"][number]> = {
  title: "Saved searches",
  noun: "search",
  path: "saved-searches",
  rows: ({ savedSearches }) => savedSearches,
  columns: [
    nameColumn,
    {
      heading: "Source",
      cell: ({ sourceId }, { sources }) => (
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
    "tags",
    usersColumn(
      "Alerts",
      ({ alerts }) => alerts,
      ({ savedSearch }, { id }) => savedSearch === id,
    ),
  ],
  newFields({ sources }, serviceId) {
    const options = choicesOf(sources, serviceId);
    if (options.length === 0) return undefined;
    return [
      textField("name", "Name", "", { required: true }),
      choice("sourceId", "Source", options),
      textField("where", "Query", ""),
    ];
  },
  fields: ({ name, where, whereLanguage }) => [
    textField("name", "Name", name, { required: true }),
    textField("where", "Query", where),
    choice("whereLanguage", "Language", ["lucene", "sql"], whereLanguage),
  ],
  bodyOf(values, _snapshot, row) {
    if (!row) return values;
    // An update of a saved search resets omitted properties, so the console's form sends them again.
    const { id, serviceId, teamId, createdAt, updatedAt, ...members } = row;
    return { ...members, ...values };
  },
  question: "The service deletes its alerts with it.",
};
