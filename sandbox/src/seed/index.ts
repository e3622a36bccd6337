import { sha256 } from "../identifiers";
import type { StoreContents } from "../store";
import { pipes, reversePrivateEndpoints } from "./ingestion";
import { services } from "./services";

/** What a program needs to use a sandbox. The same in every sandbox, and useless anywhere else. */
export interface Credentials {
  organizationId: string;
  /** The first service of its warehouse: 2 to 20 replicas. The access token belongs to it. */
  serviceId: string;
  /** A service created in the existing warehouse: 1 to 20 replicas. */
  secondServiceId: string;
  /** Id of the admin key: the user name of Basic authentication on the management API. */
  keyId: string;
  /** Secret of the admin key. */
  keySecret: string;
  /** Bearer token of the observability API. */
  accessToken: string;
}

export const seededCredentials: Readonly<Credentials> = {
  organizationId: "3f1c6a52-7d0e-4b8f-9a41-5c2e8d7b6f10",
  serviceId: services[0].id,
  secondServiceId: services[1].id,
  keyId: "SandboxK3y7Qm2Vt9Xb4",
  keySecret: "SandboxOnly8fJ2kLw0ZrT5yUe3HgN7cVb1MxQa9",
  accessToken: "sandbox-only-6b0f4c1e-92d7-4a3b-8e55-d1f07c29ab84",
};

const createdAt = "2025-01-15T09:00:00.000Z";

/** The contents of a new sandbox. */
export function seed(): StoreContents {
  const { organizationId, serviceId, keyId, keySecret, accessToken } = seededCredentials;
  const table = (tableName: string) => ({ databaseName: "otel", tableName });
  const connection = "65f1c0a2b3d4e5f607182900";
  return {
    organization: { id: organizationId, name: "Sandbox", paid: true },
    services: [...services],
    keys: [
      {
        id: "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204",
        name: "sandbox admin",
        state: "enabled",
        roles: ["admin"],
        keySuffix: keyId.slice(-4),
        createdAt,
        keyIdHash: sha256(keyId),
        keySecretHash: sha256(keySecret),
      },
    ],
    accessTokens: [{ id: "65f1c0a2b3d4e5f607182901", serviceId, tokenHash: sha256(accessToken) }],
    queryEndpoints: [],
    pipes,
    reversePrivateEndpoints,
    dashboards: [],
    alerts: [],
    sources: [
      {
        id: "65f1c0a2b3d4e5f607182911",
        serviceId,
        name: "Logs",
        kind: "log",
        connection,
        from: table("otel_logs"),
        timestampValueExpression: "Timestamp",
      },
      {
        id: "65f1c0a2b3d4e5f607182912",
        serviceId,
        name: "Traces",
        kind: "trace",
        connection,
        from: table("otel_traces"),
        timestampValueExpression: "Timestamp",
      },
      {
        id: "65f1c0a2b3d4e5f607182913",
        serviceId,
        name: "Metrics",
        kind: "metric",
        connection,
        from: table("otel_metrics"),
        timestampValueExpression: "TimeUnix",
      },
    ],
    webhooks: [
      {
        id: "65f1c0a2b3d4e5f607182921",
        serviceId,
        name: "on-call",
        service: "generic",
        url: "https://hooks.example.com/on-call",
        description: "Pages whoever is on call",
        createdAt,
        updatedAt: createdAt,
      },
    ],
  };
}
