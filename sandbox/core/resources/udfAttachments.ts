import { ApiError, notFound } from "../apiError";
import type { Collection, Records } from "../records";
import { type Call, documentedRoute, type Route, type RouteContext } from "../routes";
import type { Resource } from "./resource";
import { mustRun } from "./serviceStates";
import { services } from "./services";
import { type Udf, udfNamed, udfs, versionsOf } from "./udfs";

/** The version of a user-defined function that a service runs. */
export interface UdfAttachment {
  /** The name of the function and the id of the service, with a colon between them. */
  id: string;
  functionName: string;
  serviceId: string;
  version: number;
  /** `provisioning`, then `deployed` or `error`; `deprovisioning` until it is gone. */
  status: string;
  /** The state into which the attachment passes. With the state `gone` it is deleted. */
  steps?: { status: string; at: number }[];
}

/** How many functions a service of the sandbox takes. */
const mostOfService = 20;

const idOf = (functionName: string, serviceId: string) => `${functionName}:${serviceId}`;

/** The functions that are attached to services of the sandbox. */
export const udfAttachments = {
  place: "organization",
  dialect: "clickhouse",
  operations: [
    ...(["listUdfAttachments", "getUdfAttachment"] as const),
    ...(["putUdfAttachment", "deleteUdfAttachment"] as const),
  ],
  path: () => "udfs",

  seed: (): UdfAttachment[] => [],
  columns: ["functionName", "version"],

  /** A deleted function is taken off all services. */
  follow(records: Records, changed: Collection, name: string): void {
    if (changed !== (udfs as Collection) || records.of<Udf>(udfs).has(name)) return;
    for (const { id, functionName } of [...records.of<UdfAttachment>(udfAttachments).values()])
      if (functionName === name) records.remove(udfAttachments, id);
  },

  routes(context: RouteContext): Route[] {
    const { store, stateMilliseconds } = context;
    const attachments = () => store.of<UdfAttachment>(udfAttachments);
    const existing = ({ id, service }: Call): UdfAttachment => {
      udfNamed(store, id);
      const found = attachments().get(idOf(id, service.id));
      if (!found) throw notFound(`UDF ${id} is not attached to service ${service.id}`);
      return found;
    };
    return [
      documentedRoute<object>({
        operation: "listUdfAttachments",
        method: "GET",
        path: "/:id/attachments",
        run({ id }) {
          udfNamed(store, id);
          return [...attachments().values()].filter(({ functionName }) => functionName === id).map(shown);
        },
      }),
      documentedRoute<object>({
        operation: "getUdfAttachment",
        method: "GET",
        path: "/:id/attachments/:serviceId",
        run: (call) => shown(existing(call)),
      }),
      documentedRoute<{ version?: number } | undefined>({
        operation: "putUdfAttachment",
        method: "PUT",
        path: "/:id/attachments/:serviceId",
        run({ id: functionName, service: { id: serviceId }, body, now }) {
          const version = attachable(udfNamed(store, functionName), body?.version);
          mustRun(store.of(services).get(serviceId));
          const id = idOf(functionName, serviceId);
          const current = attachments().get(id);
          if (current) checkSettled(current);
          const isDeployed = current?.version === version && current.status === "deployed";
          if (current && isDeployed) return shown(current);
          if (!current && store.ofService(udfAttachments, serviceId).length >= mostOfService)
            throw new ApiError(422, `a service can have at most ${mostOfService} UDFs attached`);
          const { provisioning = "works" } = store.organization;
          const status = provisioning === "fails" ? "error" : "deployed";
          const attachment: UdfAttachment = {
            ...{ id, functionName, serviceId, version, status: "provisioning" },
            ...(provisioning !== "hangs" && { steps: [{ status, at: now + stateMilliseconds }] }),
          };
          store.write<UdfAttachment>(udfAttachments, attachment);
          return shown(attachment);
        },
      }),
      documentedRoute<object>({
        operation: "deleteUdfAttachment",
        method: "DELETE",
        path: "/:id/attachments/:serviceId",
        run(call) {
          const { steps: _, ...attachment } = existing(call);
          checkSettled(attachment);
          const steps = [{ status: "gone", at: call.now + stateMilliseconds }];
          store.write<UdfAttachment>(udfAttachments, { ...attachment, status: "deprovisioning", steps });
        },
      }),
    ];
  },
} as const satisfies Resource;

const shown = ({ id: _, steps: __, ...attachment }: UdfAttachment): object => attachment;

/** @throws ApiError 409 while an earlier request about the attachment is being carried out */
function checkSettled({ functionName, status }: UdfAttachment): void {
  if (status === "provisioning" || status === "deprovisioning")
    throw new ApiError(409, `the attachment of UDF ${functionName} is ${status}`);
}

/**
 * The version of a function that a request attaches: by default the newest that has been built.
 * @throws ApiError for a version that is unknown or not built
 */
function attachable(udf: Udf, asked: number | undefined): number {
  const versions = versionsOf(udf);
  const found =
    asked === undefined
      ? versions.find(({ status }) => status === "ready")
      : versions.find(({ version }) => version === asked);
  if (!found && asked !== undefined) throw notFound(`version ${asked} of UDF ${udf.id} not found`);
  if (found?.status !== "ready")
    throw new ApiError(409, `version ${found?.version ?? udf.version} of UDF ${udf.id} is not ready`);
  return found.version;
}

export function settleAttachments(store: Records, now: number): void {
  for (const { steps = [], ...attachment } of [...store.of<UdfAttachment>(udfAttachments).values()]) {
    const due = steps.find(({ at }) => at <= now);
    if (due?.status === "gone") store.remove(udfAttachments, attachment.id);
    else if (due) store.write<UdfAttachment>(udfAttachments, { ...attachment, status: due.status });
  }
}
