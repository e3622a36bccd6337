import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { choice, textField } from "../fields";
import { dateTime } from "../format";
import type { RecordView } from "../records";
import { change } from "../requests";
import { State } from "../table";

/** The keys of the organization, without their secrets. */
export const keys: RecordView<ConsoleSnapshot["keys"][number]> = {
  title: "Keys",
  noun: "key",
  note: "Programs sign their requests with a key. The service shows its secret only once, when it creates the key.",
  rows: ({ keys }) => keys,
  columns: [
    {
      heading: "Name",
      cell: ({ name, keySuffix }) => (
        <>
          <strong dir="auto">{name || "(unnamed)"}</strong> <span class="mono muted">…{keySuffix}</span>
        </>
      ),
    },
    {
      heading: "State",
      cell: ({ state }) => <State tone={state === "enabled" ? "good" : "warning"}>{state}</State>,
    },
    { heading: "Roles", cell: ({ roles }) => roles.join(", ") },
    {
      heading: "Allowed from",
      cell: ({ ipAccessList }) =>
        ipAccessList ? ipAccessList.map(({ source }) => source).join(", ") || "nowhere" : "anywhere",
    },
    { heading: "Expires", cell: ({ expireAt }) => dateTime(expireAt) },
    { heading: "Last used", cell: ({ usedAt }) => dateTime(usedAt) },
  ],
  create: () => ({
    title: "New key",
    note: "Nobody learns the secret of a key that is made here.",
    fields: [
      textField("name", "Name", "", { required: true }),
      choice("role", "Role", ["admin", "developer", "query_endpoints"], "developer"),
    ],
    save: ({ name, role }) => change("POST", "/keys", { name, roles: [role] }),
  }),
  form: ({ id, name, state, keySuffix }) => ({
    title: `Key ${name || `…${keySuffix}`}`,
    fields: [textField("name", "Name", name), choice("state", "State", ["enabled", "disabled"], state)],
    save: (values) => change("PATCH", `/keys/${id}`, values),
    removal: {
      label: "Delete key",
      question: "Requests signed with it will be refused.",
      run: () => change("DELETE", `/keys/${id}`),
    },
  }),
};
