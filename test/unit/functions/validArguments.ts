import type { JsonObject } from "../resources/example";
import { postgresServiceId } from "../resources/postgresService.example";

const place = {
  organizationId: "3f1c6a52-7d0e-4b8f-9a41-5c2e8d7b6f10",
  serviceId: "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59",
};
export const pipeId = "1d7b4e92-c063-4f5a-9e28-b6a1d8f30c47";
export const oneSeries = {
  sourceId: "65f1c0a2b3d4e5f607182911",
  aggFn: "count",
  where: "",
  groupBy: ["ServiceName"],
};

const fullSeries = {
  ...oneSeries,
  field: "Duration",
  level: 0.95,
  whereLanguage: "sql",
  metricName: "cpu.utilization",
  metricDataType: "gauge",
  sortOrder: "desc",
};

export const validArguments = {
  getPipes: { ...place, includeSecrets: true, name: "orders-stream", state: "Running" },
  getPipe: { ...place, pipeId, includeSecrets: false },
  getPipeSettings: { ...place, pipeId },
  getReversePrivateEndpoints: place,
  getPipesContext: place,
  discoverPipeSchema: {
    ...place,
    source: {
      kafka: {
        ...{ type: "kafka", format: "JSONEachRow", brokers: "broker.example.com:9092", topics: "orders" },
        ...{ authentication: "PLAIN", schemaRegistry: { url: "https://registry.example.com" } },
      },
    },
    credentials: { username: "reader", password: "kafka-password" },
    schemaRegistryCredentials: { username: "reader", password: "registry-password" },
  },
  getPrivateEndpointConfig: place,
  getServiceSettingsSchema: place,
  getDashboards: place,
  getAlerts: place,
  getConnections: place,
  getConnection: { ...place, name: "Default" },
  getApiKeys: { organizationId: place.organizationId },
  getApiKey: {
    organizationId: place.organizationId,
    id: "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204",
    name: "sandbox admin",
  },
  getServices: {
    organizationId: place.organizationId,
    name: "reporting",
    state: "running",
    includeSecrets: true,
  },
  getService: { ...place, name: "reporting", includeSecrets: false },
  whoami: {},
  getBackups: { ...place, status: "done" },
  getMember: { organizationId: place.organizationId, email: "ada@example.com" },
  getServiceProfiles: { organizationId: place.organizationId },
  getSnapshots: { ...place, status: "done" },
  getSshTunnels: place,
  getPostgresServices: { organizationId: place.organizationId, name: "orders", state: "running" },
  getPostgresService: { organizationId: place.organizationId, postgresServiceId, name: "by hand" },
  getPostgresBackups: { organizationId: place.organizationId, postgresServiceId },
  getPostgresCaCertificates: { organizationId: place.organizationId, postgresServiceId },
  getUdfs: { organizationId: place.organizationId },
  getUdfVersions: { organizationId: place.organizationId, functionName: "echo" },
  getQuotas: { organizationId: place.organizationId },
  getRoles: { organizationId: place.organizationId },
  getRole: { organizationId: place.organizationId, name: "Reports" },
  getSavedSearches: place,
  getSavedSearch: { ...place, name: "Errors" },
  getSources: place,
  getSource: { ...place, name: "Logs", kind: "log" },
  getWebhooks: { ...place, includeSecrets: true },
  getWebhook: { ...place, name: "on-call", service: "generic", includeSecrets: false },
  getChartSeries: {
    series: [fullSeries, oneSeries],
    startTime: 1767225600000,
    endTime: 1767312000000,
    granularity: "5m",
    seriesReturnType: "column",
  },
} satisfies { readonly [name: string]: JsonObject };

export type FunctionName = keyof typeof validArguments;
