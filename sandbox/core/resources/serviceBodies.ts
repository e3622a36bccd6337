import { badRequest } from "../apiError";
import { type Identifiers, isUuid, sha256Base64 } from "../identifiers";
import { type IpAccess, isIpSource } from "../ipAccess";
import type { Organization } from "../records";
import {
  channelOf,
  checkReplicas,
  placeOf,
  productScaling,
  type ReplicaScaling,
  tagsOf,
} from "./productScaling";
import { endpointsOf, type ProductMembers, type Service, seededService, type Tag } from "./serviceRecords";
import { provisioned } from "./serviceStates";

/** Maximum number of services in a warehouse, a group of services that share their data. */
const mostInWarehouse = 5;

/** The body of the request that creates a service in ClickHouse Cloud. */
export interface CreateBody extends ReplicaScaling, Partial<ProductMembers> {
  name: string;
  provider: ProductMembers["provider"];
  region: string;
  ipAccessList: IpAccess[];
  dataWarehouseId?: string;
  isReadonly?: boolean;
  backupId?: string;
  backupEncryptionConfig?: object;
  privatePreviewTermsChecked?: boolean;
  endpoints?: Toggle[];
  hasTransparentDataEncryption?: boolean;
  /** The tier of the service. ClickHouse Cloud refuses requests with it, since only old organizations have tiers. */
  tier?: string;
}

interface Toggle {
  protocol: "mysql";
  enabled: boolean;
}

interface Changes<Entry> {
  add?: Entry[];
  remove?: Entry[];
}

export interface PatchBody {
  name?: string;
  ipAccessList?: Changes<IpAccess>;
  releaseChannel?: ProductMembers["releaseChannel"];
  endpoints?: Toggle[];
  tags?: Changes<Tag>;
  privateEndpointIds?: Changes<string>;
  transparentDataEncryptionKeyId?: string;
  enableCoreDumps?: boolean;
}

interface Surroundings {
  readonly services: readonly Service[];
  readonly organization: Organization;
  readonly ids: Identifiers;
  readonly now: number;
  readonly stateMilliseconds: number;
}

/**
 * Makes a new service and its password, which no later response contains.
 * @throws ApiError 400 for properties that contradict each other
 */
export function createdService(
  body: CreateBody,
  { services, organization, ids, now, stateMilliseconds }: Surroundings,
): { readonly service: Service; readonly password: string } {
  checkSources(body.ipAccessList);
  checkTags(body.tags ?? []);
  if (body.tier !== undefined) throw badRequest("tier is not supported for this organization");
  if (body.backupId !== undefined && !isUuid(body.backupId)) throw badRequest("backupId must be a uuid");
  if (body.isReadonly && body.dataWarehouseId === undefined)
    throw badRequest("isReadonly requires dataWarehouseId");
  if (body.byocId !== undefined && body.minReplicaMemoryGb === undefined)
    throw badRequest("minReplicaMemoryGb and maxReplicaMemoryGb are required with byocId");
  const warehouse = services.filter(({ dataWarehouseId }) => dataWarehouseId === body.dataWarehouseId);
  const isPrimary = body.dataWarehouseId === undefined;
  if (!isPrimary) checkWarehouse(body, warehouse);
  const { name, provider, region, ipAccessList, endpoints = [], tags = [], backupId, ...others } = body;
  const { autoscalingMode, minReplicas, maxReplicas, numReplicas, ...further } = others;
  const { minReplicaMemoryGb, maxReplicaMemoryGb, idleScaling, idleTimeoutMinutes, ...more } = further;
  // A request for a new service may contain `backupEncryptionConfig` and `privatePreviewTermsChecked`, but no response of
  // ClickHouse Cloud shows them.
  const { backupEncryptionConfig, privatePreviewTermsChecked, ...members } = more;
  const id = ids.uuid();
  const seeded = seededService(id, name, 3, isPrimary);
  const {
    encryptionKey,
    encryptionAssumedRoleIdentifier,
    transparentDataEncryptionKeyId,
    encryptionRoleId,
    ...unencrypted
  } = seeded;
  const host = `${id.slice(0, 10)}.${region}.${provider}.sandbox.example.com`;
  const password = ids.keyPair().keySecret;
  const bare: Service = {
    ...unencrypted,
    ...{ provider, region, ipAccessList, tags, profile: "v1-default", isReadonly: false },
    ...{ releaseChannel: "default" as const, enableCoreDumps: true },
    ...members,
    ...(members.hasTransparentDataEncryption && { encryptionRoleId }),
    hasTransparentDataEncryption: members.hasTransparentDataEncryption ?? false,
    dataWarehouseId: body.dataWarehouseId ?? ids.uuid(),
    endpoints: endpointsOf(host, isEnabled(endpoints, false)),
    ...{ minReplicaMemoryGb: 16, maxReplicaMemoryGb: 120, availablePrivateEndpointIds: [] },
    ...(warehouse[0] && { releaseChannel: channelOf(warehouse[0]) }),
    createdAt: new Date(now).toISOString(),
    passwordHash: sha256Base64(password),
    ...provisioned(now, stateMilliseconds, {
      isRestored: backupId !== undefined,
      outcome: organization.provisioning,
    }),
  };
  const { numReplicas: asked, ...scaled } = productScaling(
    bare,
    Object.fromEntries(
      Object.entries({
        ...{ autoscalingMode, minReplicas, maxReplicas, numReplicas },
        ...{ minReplicaMemoryGb, maxReplicaMemoryGb, idleScaling, idleTimeoutMinutes },
      }).filter(([, value]) => value !== undefined),
    ),
    organization,
  );
  const service = { ...bare, ...scaled, ...(asked !== undefined && { numReplicas: asked }) };
  checkReplicas(service);
  return { service: withTotals(service), password };
}

/**
 * Adds the total memory to a service: ClickHouse Cloud shows the memory of three replicas, whatever the number of replicas is.
 */
const withTotals = (service: Service): Service => ({
  ...service,
  minTotalMemoryGb: service.minReplicaMemoryGb * 3,
  maxTotalMemoryGb: service.maxReplicaMemoryGb * 3,
});

function checkWarehouse(body: CreateBody, warehouse: readonly Service[]): void {
  const [first] = warehouse;
  if (!first) throw badRequest("dataWarehouseId is not the id of a warehouse of the organization");
  const { provider, region } = placeOf(first);
  if (body.provider !== provider || body.region !== region)
    throw badRequest("a service must be in the provider and the region of its warehouse");
  if (warehouse.length >= mostInWarehouse)
    throw badRequest(`a warehouse has at most ${mostInWarehouse} services`);
}

/**
 * Returns the properties of a service that an update sets. In lists, elements are removed before others are added; removing an
 * element that does not exist does nothing.
 * @throws ApiError 400 for a change that is not possible
 */
export function patchedMembers(
  service: Service,
  body: PatchBody,
  { keysWithoutGrant = [] }: Organization,
): Partial<Service> {
  const { name, ipAccessList, tags, endpoints, privateEndpointIds, ...members } = body;
  checkSources(ipAccessList?.add ?? []);
  checkTags(tags?.add ?? []);
  if (tags?.add?.length && tags.remove?.length)
    throw badRequest("tags: add and remove cannot be in one request");
  const doubled = tags?.add?.find(({ key }) => tagsOf(service).some((tag) => tag.key === key));
  if (doubled) throw badRequest(`tags: ${doubled.key} exists already`);
  if (members.transparentDataEncryptionKeyId !== undefined && !service.hasTransparentDataEncryption)
    throw badRequest("the service has no transparent data encryption");
  if (keysWithoutGrant.includes(String(members.transparentDataEncryptionKeyId)))
    throw badRequest(`the key does not grant access to ${service.encryptionRoleId}`);
  const host = service.endpoints[0]?.host ?? "";
  const hasMysql = service.endpoints.some(({ protocol }) => protocol === "mysql");
  return {
    ...members,
    ...(name !== undefined && { name }),
    ...(ipAccessList && {
      ipAccessList: changed(service.ipAccessList, ipAccessList, ({ source }) => source),
    }),
    ...(tags && { tags: changed(tagsOf(service), tags, ({ key }) => key) }),
    ...(endpoints && { endpoints: endpointsOf(host, isEnabled(endpoints, hasMysql)) }),
    ...(privateEndpointIds && {
      privateEndpointIds: [...new Set(changed(service.privateEndpointIds, privateEndpointIds, (id) => id))],
    }),
  };
}

function changed<Entry>(
  entries: readonly Entry[],
  { add = [], remove = [] }: Changes<Entry>,
  keyOf: (entry: Entry) => string,
): Entry[] {
  const removed = remove.map(keyOf);
  return [...entries.filter((entry) => !removed.includes(keyOf(entry))), ...add];
}

const isEnabled = (toggles: readonly Toggle[], before: boolean) => toggles.at(-1)?.enabled ?? before;

function checkSources(entries: readonly IpAccess[]): void {
  for (const [index, { source }] of entries.entries())
    if (typeof source !== "string" || !isIpSource(source))
      throw badRequest(`ipAccessList.${index}.source must be an address or a CIDR block`);
}

function checkTags(tags: readonly Tag[]): void {
  const keys = tags.map(({ key }) => key);
  const doubled = keys.find((key, index) => keys.indexOf(key) < index);
  if (doubled !== undefined) throw badRequest(`tags: ${doubled} is there twice`);
}
