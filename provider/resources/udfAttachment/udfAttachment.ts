import { MissingObject, RefusedRequest } from "../../api/errors";
import { resourceOf } from "../../lifecycle/lifecycle";
import { notShownYet } from "../../lifecycle/observe";
import type { Resource } from "../../lifecycle/resource";
import { type Context, contextOf, inService } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { settling } from "../../lifecycle/settling";
import { declaredIn, type State } from "../../lifecycle/state";
import { reportTakeover } from "../../lifecycle/takeover";
import { isSameId, type PropertyMap } from "../../values/data";
import { Type } from "../../values/schemaBuilders";
import { ofRunningService } from "../serviceState/wake";
import { minutesIn, settled, udfName } from "../udfs/settling";

/**
 * Inputs of a function's attachment to a service.
 * @see "Attach UDF" in the documents of ClickHouse Cloud
 */
export const udfAttachmentInputs = inService({
  /** Name of the function: the `id` of a `Udf`. A change replaces the attachment. */
  functionName: Type.String({ ...udfName, of: "Udf", replaces: "declared" }),
  /**
   * Version of the function that the service runs, which has to be built. With the output `version` of a `Udf` the service follows
   * each new version. Default: the newest one when the function is attached, which then stays, as does one that the program drops.
   */
  version: Type.Optional(Type.Integer({ minimum: 1, irremovable: "declare another one to change it" })),
  /**
   * Whether a change wakes an idle service. Default: false. Functions can be attached only while the service runs, and a running
   * service is billed.
   */
  wakeService: Type.Optional(Type.Boolean({ sent: "never" })),
  /**
   * Minutes to wait until the service has taken the function, or has taken it off, 1 to 1440. Default: 15. The option
   * `customTimeouts` may end a wait sooner.
   */
  waitMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, sent: "never" })),
});

/** Outputs of a function's attachment beyond its inputs. */
export const udfAttachmentOutputs = Type.Object({
  /**
   * Status of the attachment: `provisioning`, `deployed`, `standby`, `error` or `deprovisioning`. It changes by itself and never
   * counts as drift.
   */
  status: Type.Optional(Type.String({ volatile: true })),
});

const defaultMinutes = 15;

const attachments = resourceOf({
  type: "UdfAttachment",
  noun: "UDF attachment",
  inputs: udfAttachmentInputs,
  outputs: udfAttachmentOutputs,
  scope: "service",
  dialect: "clickhouse",
  operations: {
    create: "putUdfAttachment",
    list: "listUdfs",
    update: "putUdfAttachment",
    delete: "deleteUdfAttachment",
  },
  calls: ["getUdfAttachment", "listUdfAttachments"],

  idIn: ({ serviceId, functionName }) =>
    typeof serviceId === "string" && typeof functionName === "string"
      ? joined(functionName, serviceId)
      : undefined,

  async listed({ session, scope }, asOf) {
    const { organizationId, serviceId } = scope;
    const fresh = asOf === "write" ? "now" : asOf;
    const udfs = await session.lists.read("listUdfs", { organizationId }, { asOf: fresh });
    const all = await Promise.all(
      udfs.map(({ functionName: id }) => session.call("listUdfAttachments", { organizationId, id })),
    );
    return all
      .flat()
      .filter((each) => isSameId(each.serviceId, serviceId))
      .map(withId);
  },

  async creation({ body, inputs, context }) {
    const id = joined(String(body.functionName), String(context.scope.serviceId));
    const current = await rested(id, minutesIn(inputs, defaultMinutes), context);
    if (current) {
      await reportTakeover(attachments, id, inputs, current, context);
      context.session.warnOnce(
        `UDF ${body.functionName} is attached to service ${context.scope.serviceId} already; the resource adopts that, and destroying the resource takes the function off the service`,
      );
    }
    const isLeft = current && body.version === undefined;
    return { id, object: isLeft ? current : await attach(id, body, context) };
  },

  async look({ id, state, context }) {
    const found = await attachmentOf(id, context);
    return found ?? notShownYet(attachments, id, state, context.session) ?? "gone";
  },

  async send(id, { desired }, context) {
    const current = await rested(id, minutesIn(desired, defaultMinutes), context);
    // A request without a version attaches the newest one.
    return attach(id, { version: current?.version, ...desired }, context);
  },

  around: {
    ...settling(deployed),

    async delete(_usual, id, state, session) {
      const context = contextOf(attachments, state, session);
      const minutes = minutesIn(state, defaultMinutes);
      const current = await rested(id, minutes, context);
      if (!current) return;
      try {
        await session.call("deleteUdfAttachment", placeOf(id, context));
      } catch (error) {
        // Somebody else takes the function off at the same time, or has done so: the wait shows it.
        const isUnderWay = error instanceof RefusedRequest && error.site.status === 409;
        if (!isUnderWay && !(error instanceof MissingObject)) throw error;
      }
      const left = await rested(id, minutes, context);
      if (left)
        throw new Error(`${titleOf(id)} is ${left.status}, and was not taken off; look at it in the console`);
    },
  },
});

/** Functions can be attached only while their service runs. */
export const udfAttachmentResource: Resource = ofRunningService(attachments, "functions");

/** The Pulumi id of an attachment: several services may run the same function, so it names both. */
const joined = (functionName: string, serviceId: string) => `${functionName}:${serviceId}`;

const withId = (attachment: PropertyMap): PropertyMap => ({
  ...attachment,
  id: joined(String(attachment.functionName), String(attachment.serviceId)),
});

/** The names of an attachment's function and service in the path of a request. */
function placeOf(id: string, { scope: { organizationId } }: Context) {
  const [functionName, serviceId, ...rest] = id.split(":");
  if (!functionName || !serviceId || rest.length > 0)
    throw new Error(
      `${id} is not the id of a UdfAttachment: it is the name of the function, a colon, and the id of the service`,
    );
  return { organizationId, functionName, serviceId };
}

function titleOf(id: string): string {
  const [functionName, serviceId] = id.split(":");
  return `UDF ${functionName} of service ${serviceId}`;
}

/** The attachment as the service shows it now; undefined if there is none. */
async function attachmentOf(id: string, context: Context): Promise<PropertyMap | undefined> {
  try {
    return withId(await context.session.call("getUdfAttachment", placeOf(id, context)));
  } catch (error) {
    if (error instanceof MissingObject) return undefined;
    throw error;
  }
}

/** Waits until nothing is under way with an attachment, since the service refuses a second request until then. */
function rested(id: string, minutes: number, context: Context): Promise<PropertyMap | undefined> {
  const look = async () => {
    const object = await attachmentOf(id, context);
    const status = String(object?.status ?? "gone");
    return { status, object, isSettled: !["provisioning", "deprovisioning"].includes(status) };
  };
  return settled(titleOf(id), minutes, look, context.session);
}

async function attach(id: string, { version }: PropertyMap, context: Context): Promise<PropertyMap> {
  const body = version === undefined ? {} : { version };
  return withId(await context.session.call("putUdfAttachment", placeOf(id, context), body));
}

/** The Pulumi state of an attachment once the service runs the function. */
async function deployed(id: string, state: State, inputs: PropertyMap, session: Session): Promise<State> {
  const context = contextOf(attachments, declaredIn(attachments, inputs), session);
  const now = await rested(id, minutesIn(inputs, defaultMinutes), context);
  if (!now) throw new Error(`${titleOf(id)} is gone: somebody else has taken it off; run pulumi up again`);
  if (now.status === "error")
    throw new Error(
      `service ${now.serviceId} cannot run version ${now.version} of UDF ${now.functionName}: look at it in the console, and run pulumi up to try again`,
    );
  return { ...state, status: now.status };
}
