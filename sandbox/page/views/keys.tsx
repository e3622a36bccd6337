import type { ConsoleSnapshot } from "../../http/console/snapshot";
import { type Form, newest, useOpenForm } from "../dialog";
import { dateTime } from "../format";
import { change } from "../requests";
import { type Column, State, Table } from "../table";
import type { ViewProps } from "../viewProps";

type Key = ConsoleSnapshot["keys"][number];

/** The keys of the organization, without their secrets. */
export function Keys({ snapshot }: ViewProps) {
  const open = useOpenForm();
  const columns: Column<Key>[] = [
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
    { heading: "Allowed from", cell: ({ ipAccessList }) => addresses(ipAccessList) },
    { heading: "Expires", cell: ({ expireAt }) => dateTime(expireAt) },
    { heading: "Last used", cell: ({ usedAt }) => dateTime(usedAt) },
    {
      heading: "",
      cell: (key) => (
        <button type="button" onClick={() => open(({ keys }) => keyForm(newest(keys, key)))}>
          Edit<span class="hidden"> key {key.name || key.keySuffix}</span>
        </button>
      ),
    },
  ];
  return (
    <>
      <div class="title">
        <h1>Keys</h1>
        <button type="button" onClick={() => open(() => newKeyForm)}>
          New key
        </button>
      </div>
      <p class="muted">
        Programs sign their requests with a key. The service shows its secret only once, when it creates the
        key.
      </p>
      <Table label="Keys" columns={columns} rows={snapshot.keys} />
    </>
  );
}

function addresses(list: Key["ipAccessList"]): string {
  if (!list) return "anywhere";
  return list.map(({ source }) => source).join(", ") || "nowhere";
}

const newKeyForm: Form = {
  title: "New key",
  note: "Nobody learns the secret of a key that is made here.",
  fields: [
    { name: "name", label: "Name", kind: "text", value: "", required: true },
    {
      name: "role",
      label: "Role",
      kind: "select",
      value: "developer",
      options: ["admin", "developer", "query_endpoints"],
    },
  ],
  save: ({ name, role }) => change("POST", "/keys", { name, roles: [role] }),
};

function keyForm({ id, name, state, keySuffix }: Key): Form {
  return {
    title: `Key ${name || `…${keySuffix}`}`,
    fields: [
      { name: "name", label: "Name", kind: "text", value: name },
      { name: "state", label: "State", kind: "select", value: state, options: ["enabled", "disabled"] },
    ],
    save: (values) => change("PATCH", `/keys/${id}`, values),
    removal: {
      label: "Delete key",
      question: "Requests signed with it will be refused.",
      run: () => change("DELETE", `/keys/${id}`),
    },
  };
}
