import fc from "fast-check";
import { addConnection, homeConnection } from "../faults/service";
import { changeOf, type Example, organizationId, serviceId, word } from "./example";

/** A secret that no message, state or file may show. */
export const connectionSecrets = { password: "secret-of-a-database-81d4" };

const lake = { name: "Lake", host: "https://lake.example.com:8443", username: "reader" };

export const connectionExample: Example = {
  valid: {
    organizationId,
    serviceId,
    adoptId: "66f0c2d8a1b2c3d4e5f60715",
    ...lake,
    ...connectionSecrets,
    hyperdxSettingPrefix: "lake_",
    isPrometheusEndpoint: true,
  },
  programs: () => [lake, { ...lake, username: "writer" }],
  randomPrograms: () =>
    fc.record(
      {
        name: word,
        host: fc.webUrl(),
        username: fc.oneof(word, fc.constant("")),
        password: word,
        hyperdxSettingPrefix: fc.stringMatching(/^[A-Za-z0-9_]{1,8}$/),
        isPrometheusEndpoint: fc.boolean(),
      },
      { requiredKeys: ["name", "host", "username"] },
    ),
  outsideChanges: () => [
    changeOf("name", (old: string) => `${old} 2`),
    changeOf("host", (old: string) => `${old}/2`),
    changeOf("username", (old: string) => `${old} 2`),
    changeOf("hyperdxSettingPrefix", (old: string) => `${old}_2`),
    changeOf("isPrometheusEndpoint", (old: boolean) => !old),
  ],
  find: ({ store }, id) => store.connections.get(id),
  requests: () => ({
    createConnection: [{}, lake],
    getConnection: [{ id: homeConnection }],
    updateConnection: [{ id: homeConnection }, { ...lake, name: "changed" }],
    deleteConnection: [{ id: homeConnection }],
  }),
  creatable: {
    operation: "createConnection",
    list: "listConnections",
    id: "bbbbbbbbbbbbbbbbbbbbbba0",
    add: ({ sandbox }, id) => addConnection(sandbox, { id, hyperdxSettingPrefix: "by_hand" }),
  },
};
