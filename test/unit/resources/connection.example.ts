import type { Connection, Sandbox } from "../../../sandbox/index";
import { type Example, placed } from "./example";

/** Secret values of a connection. No message, Pulumi state or file may contain them. */
export const connectionSecrets = { password: "secret-of-a-database-81d4" };

const lake = { name: "Lake", host: "https://lake.example.com:8443", username: "reader" };
const whole = { ...lake, ...connectionSecrets, hyperdxSettingPrefix: "lake_", isPrometheusEndpoint: true };

/** The id of a connection that every sandbox has; the sandbox's sources use it. */
const homeConnection = "65f1c0a2b3d4e5f607182900";

export const connectionExample: Example = {
  valid: placed("66f0c2d8a1b2c3d4e5f60715", whole),
  wholes: { "with all": whole },
  programs: () => [lake, { ...lake, username: "writer" }],
  find: ({ store }, id) => store.connections.get(id),
  home: homeConnection,
  creatable: {
    id: "bbbbbbbbbbbbbbbbbbbbbba0",
    add: ({ sandbox }, id) => addConnection(sandbox, { id, hyperdxSettingPrefix: "by_hand" }),
  },
};

export function addConnection({ store, credentials }: Sandbox, changed: Partial<Connection>): void {
  const now = new Date(0).toISOString();
  const record: Connection = {
    id: "",
    serviceId: credentials.serviceId,
    name: "Lake",
    host: "https://lake.example.com:8443",
    username: "reader",
    password: "",
    createdAt: now,
    updatedAt: now,
    ...changed,
  };
  store.connections.set(record.id, record);
}
