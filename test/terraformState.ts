import type { Sandbox } from "../sandbox/index";
import { fillService, send } from "./serviceContents";
import { addUdf } from "./unit/resources/udf.example";

interface TerraformResource {
  readonly module?: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly provider: string;
  readonly instances: readonly {
    readonly index_key?: string | number;
    readonly deposed?: string;
    readonly attributes: object;
  }[];
}

/** Fills the first service with 40 objects of kinds that Terraform can manage. */
export async function fillForTerraform(sandbox: Sandbox): Promise<void> {
  await fillService(sandbox);
  const service = `/services/${sandbox.credentials.serviceId}`;
  const [source] = sandbox.store.sources.keys();
  for (let index = 0; index < 10; index++)
    await send(sandbox, "POST", `${service}/stack/saved-searches`, {
      ...{ name: `Slow requests of team ${index}`, sourceId: source, where: `team:${index}` },
    });
  const entry = { name: "night", weekdays: [1, 2], startHourUtc: 20, endHourUtc: 6, idleScaling: true };
  await send(sandbox, "POST", `${service}/scalingSchedule`, { entries: [entry] });
}

/** Passwords and addresses that Terraform's state has in plain text. */
export const terraformSecrets = {
  password: "pl4in-text-of-the-service",
  passwordOfConnection: "pl4in-text-of-the-connection",
};

/**
 * Makes the state file that Terraform, with the provider ClickHouse/clickhouse, would have of the first service of a sandbox:
 * dashboards with `count`, searches with `for_each`, alerts in a module, and objects of resource types that pipestack lacks.
 */
export function terraformStateOf({ store, credentials: { serviceId } }: Sandbox): object {
  const service = {
    ...{ id: serviceId, name: "Warehouse", password: terraformSecrets.password, num_replicas: 3 },
    ...{ idle_scaling: true, query_api_endpoints: { roles: ["sql_console_read_only"], api_key_ids: [] } },
  };
  const many = (records: ReadonlyMap<string, { id: string; name?: string | null }>) => [...records.values()];
  const attributes = ({ id, name }: { id: string; name?: string | null }) => ({ id, name, team: null });
  const [webhooks, connections] = [many(store.webhooks), many(store.connections)];
  return {
    ...{
      version: 4,
      terraform_version: "1.14.2",
      serial: 12,
      lineage: "0c6d6f6a-0f4f-7f11-0d0c-3f0f9a7a3f55",
    },
    outputs: { password: { value: terraformSecrets.password, type: "string", sensitive: true } },
    resources: [
      managed("service", "main", [{ attributes: service }]),
      managed("service_scheduled_scaling", "nights", [
        { attributes: { id: serviceId, service_id: serviceId } },
      ]),
      managed(
        "clickstack_webhook",
        "on_call",
        webhooks.map(({ id }) => ({
          attributes: { id, url: store.webhooks.get(id)?.url, headers: { authorization: "Bearer s3cret" } },
        })),
      ),
      managed(
        "clickstack_connection",
        "main",
        connections.map((record) => ({
          attributes: { ...attributes(record), password: terraformSecrets.passwordOfConnection },
        })),
      ),
      ...many(store.sources).map((record) =>
        managed("clickstack_source", (record.name ?? "").toLowerCase(), [{ attributes: attributes(record) }]),
      ),
      managed(
        "clickstack_dashboard",
        "board",
        many(store.dashboards).map((record, index) => ({ index_key: index, attributes: attributes(record) })),
      ),
      managed(
        "clickstack_saved_search",
        "by_team",
        many(store.savedSearches).map((record, index) => ({
          ...{ index_key: `eu/${index}`, attributes: attributes(record) },
        })),
      ),
      ...many(store.alerts).map((record, index) =>
        managed(
          "clickstack_alert",
          `too_many_${index}`,
          [{ attributes: attributes(record) }],
          "module.alerts",
        ),
      ),
      managed("clickstack_team", "platform", [{ attributes: { id: "65f0c0ffeecafef00dba5e01" } }]),
      managed("role", "admins", [{ attributes: { id: serviceId } }]),
      { ...managed("role", "member", [{ attributes: { id: serviceId } }]), mode: "data" },
      { ...managed("role", "main", [{ attributes: { id: serviceId } }]), type: "aws_iam_role" },
    ],
    check_results: null,
  };
}

/**
 * Gives the first service of a sandbox of ClickHouse Cloud an object for each type of the provider ClickHouse/clickhouse that it
 * serves, and returns the state that Terraform would have of them: a resource of each type.
 */
export async function organizationInTerraform(sandbox: Sandbox): Promise<object> {
  const { store, credentials } = sandbox;
  const { serviceId } = credentials;
  const service = `/services/${serviceId}`;
  const first = (records: ReadonlyMap<string, { id: string; serviceId?: string }>) =>
    [...records.values()].find((record) => record.serviceId === serviceId)?.id;
  Object.assign(store.services.get(serviceId) ?? {}, {
    ...{ upgradeWindow: { weekday: 0, startHourUtc: 6 }, privateEndpointIds: ["vpce-2", "vpce-1"] },
  });
  addUdf({ store }, { functionName: "score" });
  const attachment = { functionName: "score", serviceId, version: 1, status: "deployed" };
  store.udfAttachments.set(`score:${serviceId}`, { id: `score:${serviceId}`, ...attachment });
  const { key } = await send<{ key: { id: string } }>(sandbox, "POST", "/keys", { name: "Loader" });
  const [role] = [...store.roles.values()].filter(({ type }) => type === "custom");
  await send(sandbox, "PATCH", `/roles/${role?.id}`, { actors: [`apiKey/${key.id}`] });
  await send(sandbox, "POST", `${service}/serviceQueryEndpoint`, {
    ...{ roles: ["sql_console_read_only"], openApiKeys: [key.id], allowedOrigins: "" },
  });
  const entry = { name: "night", weekdays: [1, 2], startHourUtc: 20, endHourUtc: 6, idleScaling: true };
  await send(sandbox, "POST", `${service}/scalingSchedule`, { entries: [entry] });
  const board = { name: "Overview", tiles: [] };
  const dashboard = await send<{ id: string }>(sandbox, "POST", `${service}/clickstack/dashboards`, board);
  const [search, webhook] = [first(store.savedSearches), first(store.webhooks)];
  await send(sandbox, "POST", `${service}/clickstack/alerts`, {
    ...{
      name: "Errors",
      source: "saved_search",
      savedSearchId: search,
      threshold: 5,
      thresholdType: "above",
    },
    ...{ interval: "5m", channel: { type: "webhook", webhookId: webhook } },
  });

  const query = { name: "Revenue", sql: "SELECT 1", database: "default", parameters: {} };
  const savedQuery = await send<{ id: string }>(sandbox, "POST", `${service}/saved-queries`, query);
  const access = { apiKeyIds: [key.id], roles: ["sql_console_read_only"], allowedOrigins: [] };
  const queryApi = await send<{ id: string }>(sandbox, "POST", `${service}/query-api-endpoints`, {
    ...query,
    ...access,
  });

  const postgres = await send<{ id: string }>(sandbox, "POST", "/postgres", {
    ...{ name: "orders", provider: "aws", region: "eu-central-1", size: "r8gd.large" },
  });
  const [pipe, endpoint] = [first(store.pipes), first(store.reversePrivateEndpoints)];
  const one = (type: string, attributes: object) => managed(type, "main", [{ attributes }]);
  const { password } = terraformSecrets;
  return {
    ...{
      version: 4,
      terraform_version: "1.14.2",
      serial: 3,
      lineage: "0c6d6f6a-0f4f-7f11-0d0c-3f0f9a7a3f56",
    },
    outputs: {},
    resources: [
      one("service", {
        ...{ id: serviceId, name: "Warehouse", password, num_replicas: 3, ip_access: [] },
        ...{ query_api_endpoints: { roles: [], api_key_ids: [key.id] } },
        backup_configuration: { backup_period_in_hours: 24, backup_retention_period_in_hours: 24 },
      }),
      one("service_private_endpoints_attachment", {
        ...{ service_id: serviceId, private_endpoint_ids: ["vpce-1", "vpce-2"] },
      }),
      one("private_endpoint_registration", { cloud_provider: "aws", private_endpoint_id: "vpce-1" }),
      one("service_scheduled_scaling", { id: serviceId, service_id: serviceId }),
      one("service_transparent_data_encryption_key_association", { service_id: serviceId, key_id: "arn" }),
      one("service_upgrade_window", { id: serviceId, service_id: serviceId }),
      one("service_clickhouse_settings", {
        id: serviceId,
        service_id: serviceId,
        settings: { max_threads: "4" },
      }),
      one("query_api_endpoint", { id: queryApi.id, service_id: serviceId }),
      one("saved_query", { id: savedQuery.id, service_id: serviceId }),
      one("organization_settings", { id: credentials.organizationId, core_dumps_enabled: true }),
      one("role", { id: role?.id, name: role?.name }),
      one("role_assignment", { id: role?.id, role_id: role?.id, api_key_ids: [key.id], user_ids: [] }),
      one("clickpipe", { id: pipe, service_id: serviceId, source: { kafka: { credentials: { password } } } }),
      one("clickpipe_cdc_infrastructure", { service_id: serviceId }),
      one("clickpipes_ssh_key", { id: first(store.sshTunnels), service_id: serviceId }),
      one("clickpipes_reverse_private_endpoint", { id: endpoint, service_id: serviceId }),
      one("clickpipes_reverse_private_endpoint_custom_private_dns", {
        ...{ id: `${serviceId}:${endpoint}`, service_id: serviceId, reverse_private_endpoint_id: endpoint },
      }),
      one("postgres_service", { id: postgres.id, password }),
      one("udf", { function_name: "score" }),
      one("udf_attachment", { function_name: "score", service_id: serviceId }),
      one("clickstack_webhook", { id: first(store.webhooks) }),
      one("clickstack_connection", { id: first(store.connections), password }),
      one("clickstack_source", { id: first(store.sources) }),
      one("clickstack_source_links", { id: first(store.sources), source_id: first(store.sources) }),
      one("byoc_infrastructure", { id: "0c6d6f6a-0f4f-4f11-8d0c-3f0f9a7a3f58" }),
      one("clickstack_dashboard", { id: dashboard.id }),
      one("clickstack_saved_search", { id: first(store.savedSearches) }),
      one("clickstack_alert", { id: first(store.alerts) }),
      one("clickstack_role", { id: "65f0c0ffeecafef00dba5e01" }),
      one("clickstack_team", { id: "65f0c0ffeecafef00dba5e02" }),
      one("clickstack_team_member", { id: "65f0c0ffeecafef00dba5e03" }),
    ],
  };
}

/**
 * Returns a Terraform state as the state of a Pulumi stack that bridges to the same Terraform provider.
 *
 * @param tokenOf returns Pulumi's type token for a Terraform type
 */
export function stackOf(state: object, tokenOf: (type: string) => string): object {
  const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const { resources } = state as { resources: readonly TerraformResource[] };
  return {
    version: 3,
    deployment: {
      resources: [
        { urn: "urn:pulumi:dev::old::pulumi:pulumi:Stack::old-dev", type: "pulumi:pulumi:Stack" },
        ...resources.map(({ type, name, instances: [instance] }) => {
          const outputs = Object.entries(instance?.attributes ?? {}).map(([key, value]) => [
            camelCase(key),
            value,
          ]);
          const token = tokenOf(type);
          return {
            ...{
              urn: `urn:pulumi:dev::old::${token}::${name}`,
              custom: true,
              type: token,
              id: "an id of the bridge",
            },
            outputs: Object.fromEntries(outputs),
          };
        }),
      ],
    },
  };
}

function managed(
  type: string,
  name: string,
  instances: TerraformResource["instances"],
  module?: string,
): TerraformResource {
  const provider = 'provider["registry.terraform.io/clickhouse/clickhouse"]';
  return {
    ...(module && { module }),
    mode: "managed",
    type: `clickhouse_${type}`,
    name,
    provider,
    instances,
  };
}

/**
 * Makes the file that HyperDX's page exports for Terraform, in the form that its version of 2026-08-22 writes, with some of its
 * comments. A name in a comment may hold anything but line breaks.
 */
export function hyperdxExportOf(
  objects: readonly { readonly type: string; readonly id: string; readonly name?: string }[],
): string {
  const block = ({ type, id, name }: (typeof objects)[number]) => `${name ? `# ${name}\n` : ""}import {
  to = clickhouse_clickstack_${type}.${type}_${id}
  id = "7a1c0de5b2f34c9d8e0a1b2c/${id}"
}`;
  return `# HyperDX Terraform import file
# Generated by HyperDX. Review before committing to your repository.
#
# Some resources were left out as ineligible:
#   - 2 alerts — the provider only supports saved-search alerts.

terraform {
  required_version = ">= 1.5.0"
  required_providers {
    clickhouse = {
      source  = "ClickHouse/clickhouse"
      version = ">= 3.25.0"
    }
  }
}

variable "clickstack_endpoint" {
  description = "ClickStack API endpoint."
  type        = string
  default     = "https://hdx.example.com/api"
}

provider "clickhouse" {
  clickstack_endpoint = var.clickstack_endpoint
}

locals {
  # Default
  connection_65f1c0a2b3d4e5f607182900_id = "65f1c0a2b3d4e5f607182900"
}

${objects.map(block).join("\n\n")}
`;
}
