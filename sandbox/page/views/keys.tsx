import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { choice, textField } from "../fields";
import { dateTime } from "../format";
import type { RecordView } from "../records";
import { State } from "../table";

export const keys: RecordView<ConsoleSnapshot["keys"][number]> = {
  title: "Keys",
  noun: "key",
  note: "Programs sign their requests with a key. The service shows its secret only once, when it creates the key.",
  path: "keys",
  isOfOrganization: true,
  isPatched: true,
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
  newNote: "Nobody learns the secret of a key that is made here.",
  newFields: () => [
    textField("name", "Name", "", { required: true }),
    choice("role", "Role", ["admin", "developer", "query_endpoints"], "developer"),
  ],
  fields: ({ name, state }) => [
    textField("name", "Name", name),
    choice("state", "State", ["enabled", "disabled"], state),
  ],
  bodyOf: ({ role, ...values }) => (role === undefined ? values : { ...values, roles: [role] }),
  question: "Requests signed with it will be refused.",
};
