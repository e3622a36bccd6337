import { resources, type TypeName, typeNames } from "../../resources/registry";
import { type Data, isObject } from "../../values/data";

/** An object of this provider that a resource of Terraform manages, whole or in part. */
export interface Counterpart {
  readonly type: TypeName;
  readonly id: string;
  /** The service of the object, if Terraform's resource names it. */
  readonly serviceId?: string;
  /** Whether the object is only a part of Terraform's resource. */
  readonly isPart?: boolean;
  /** Whether this resource of Terraform's only adds to an object that another resource of Terraform's manages. */
  readonly isAddition?: boolean;
}

type Replacement = string | ((values: Data) => readonly Counterpart[]);

/**
 * What takes the place of the resources of the provider ClickHouse/clickhouse: objects, or the reason why there are
 * none. The types of ClickStack are not listed, since they have the names of ours.
 */
const replacements: { readonly [type: string]: Replacement } = {
  clickhouse_service: serviceOf,
  clickhouse_service_private_endpoints_attachment: ({ service_id, private_endpoint_ids }) =>
    texts(private_endpoint_ids).flatMap((id) =>
      objectIn(service_id, "PrivateEndpoint", join(service_id, id)),
    ),
  clickhouse_private_endpoint_registration:
    "the service registers an endpoint when it is attached, and Terraform's resource does nothing any more",
  clickhouse_service_scheduled_scaling: ({ service_id }) => singleton("ServiceScalingSchedule", service_id),
  clickhouse_service_transparent_data_encryption_key_association: ({ service_id }) =>
    object("Service", service_id, { isAddition: true }),
  clickhouse_service_upgrade_window: ({ service_id }) => singleton("UpgradeWindow", service_id),
  clickhouse_role: ({ id }) => object("Role", id),
  clickhouse_role_assignment: ({ role_id, api_key_ids, user_ids }) =>
    [
      ...texts(api_key_ids).map((id) => join("apikey", id)),
      ...texts(user_ids).map((id) => join("user", id)),
    ].flatMap((actor) => object("RoleAssignment", join(role_id, actor))),
  clickhouse_api_key: ({ id }) => object("ApiKey", id),
  clickhouse_clickpipe: ({ id, service_id }) => objectIn(service_id, "Pipe", id),
  clickhouse_clickpipe_cdc_infrastructure: ({ service_id }) => singleton("PipeCdcScaling", service_id),
  clickhouse_clickpipes_reverse_private_endpoint: ({ id, service_id }) =>
    objectIn(service_id, "ReversePrivateEndpoint", id),
  clickhouse_clickpipes_reverse_private_endpoint_custom_private_dns: ({
    service_id,
    reverse_private_endpoint_id,
  }) => objectIn(service_id, "ReversePrivateEndpoint", reverse_private_endpoint_id, { isAddition: true }),
};

/**
 * The objects that take the place of a resource of Terraform, or the reason why none does.
 *
 * @returns undefined for a resource of another product
 */
export function replacementOf(type: string, values: Data): readonly Counterpart[] | string | undefined {
  if (!/^(clickhouse|clickstack)_/.test(type)) return undefined;
  const replacement =
    (Object.hasOwn(replacements, type) ? replacements[type] : undefined) ??
    ofClickstack(type) ??
    "no type of pipestack manages them";
  if (typeof replacement === "string") return replacement;
  const counterparts = replacement(values);
  return counterparts.length > 0 ? counterparts : "the state names no object of theirs";
}

/** A whole service, and the parts of it that have types of their own. */
function serviceOf({ id, backup_configuration, query_api_endpoints }: Data): Counterpart[] {
  const part = { isPart: true };
  return [
    ...object("Service", id),
    ...singleton("ServiceScaling", id, part),
    ...(isObject(backup_configuration) ? singleton("BackupConfiguration", id, part) : []),
    ...(isObject(query_api_endpoints) ? singleton("QueryEndpoint", id, part) : []),
  ];
}

/** The replacement of a type of ClickStack, which other providers than ClickHouse/clickhouse have by the same nouns. */
function ofClickstack(type: string): Replacement | undefined {
  const [, noun] = /^(?:clickhouse_)?clickstack_(\w+)$/.exec(type) ?? [];
  const name = typeNames.find(
    (name) => resources[name].scope === "observability" && snakeCase(name) === noun,
  );
  return name && (({ id }) => object(name, id));
}

type Flags = Pick<Counterpart, "isPart" | "isAddition">;

/** The object with an id; none if Terraform has no id of it, since it was not created yet. */
function object(type: TypeName, id: unknown, more: Flags & { serviceId?: string } = {}): Counterpart[] {
  return isText(id) ? [{ type, id, ...more }] : [];
}

function objectIn(serviceId: unknown, type: TypeName, id: unknown, flags: Flags = {}): Counterpart[] {
  return isText(serviceId) ? object(type, id, { ...flags, serviceId }) : [];
}

/** The object of which a service has one, and which has the id of the service. */
function singleton(type: TypeName, serviceId: unknown, flags: Flags = {}): Counterpart[] {
  return objectIn(serviceId, type, serviceId, flags);
}

/** An id of several parts. */
function join(...parts: readonly unknown[]): string | undefined {
  return parts.every(isText) ? parts.join(":") : undefined;
}

function texts(list: unknown): string[] {
  return Array.isArray(list) ? list.filter(isText) : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** A name such as `SavedSearch` as `saved_search`. */
export function snakeCase(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, "_$&").toLowerCase();
}
