import type { Service } from "../../api/answers.golden";
import { FailedService, Interrupted, MissingObject } from "../../api/errors";
import { resourceOf } from "../../lifecycle/lifecycle";
import type { AsOf } from "../../lifecycle/lists";
import type { Resource } from "../../lifecycle/resource";
import { type Context, contextOf, inService } from "../../lifecycle/scope";
import type { State } from "../../lifecycle/state";
import { isSameId, type PropertyMap, pick } from "../../values/data";
import { Type } from "../../values/schemaBuilders";
import { listedIds } from "../../values/wording";

/**
 * Inputs of a private endpoint.
 * @see "Create private endpoint" in the documents of ClickHouse Cloud
 */
export const privateEndpointInputs = inService({
  /**
   * Id of the endpoint in your own network: on AWS the id of the VPC endpoint (`vpce-…`), on Google Cloud the id of the
   * connection, on Azure the resource id of the private endpoint (`/subscriptions/…`) in any case or, in the older form, its resource
   * GUID. The service does not check the id: it accepts a wrong one, and no connection works.
   */
  endpointId: Type.String({
    minLength: 1,
    pattern: "^\\S+$",
    rule: "an id without blanks",
    comparison: "id",
    replaces: "declared",
  }),
  /** Description of the private endpoint. No answer of the API shows it, so a change by somebody else is not seen. */
  description: Type.Optional(Type.String({ reset: "" })),
  /**
   * Whether destroying the resource also removes the endpoint from the organization, unless another service uses it. Default:
   * false. Needs permission to manage the organization.
   */
  unregister: Type.Optional(Type.Boolean({ sent: "never" })),
});

/** Outputs of a private endpoint beyond its inputs. */
export const privateEndpointOutputs = Type.Object({
  /** Cloud of the private endpoint: `aws`, `gcp` or `azure`. */
  cloudProvider: Type.Optional(Type.String()),
  /** Cloud region of the private endpoint. */
  region: Type.Optional(Type.String()),
});

export const privateEndpointResource: Resource = resourceOf({
  type: "PrivateEndpoint",
  noun: "private endpoint",
  inputs: privateEndpointInputs,
  outputs: privateEndpointOutputs,
  scope: "service",
  dialect: "clickhouse",
  operations: {
    create: "createPrivateEndpoint",
    list: "listServices",
    update: "createPrivateEndpoint",
    delete: "updateService",
  },

  idIn: ({ serviceId, endpointId }) =>
    typeof serviceId === "string" && typeof endpointId === "string"
      ? joined(serviceId, endpointId)
      : undefined,

  encode: ({ endpointId, ...members }) => ({ id: endpointId, ...members }),

  // The list of services does not show the description of a private endpoint, so the declared one is kept.
  formOf: (live, { description }) => ({ description, ...live }),

  listed: attachedTo,

  async creation({ body, inputs: { endpointId }, context }) {
    const { session, scope } = context;
    const id = joined(scope.serviceId, endpointId);
    const before = (await attachedTo(context, "write")).find((endpoint) => isSameId(endpoint.id, id));
    if (before)
      session.warnOnce(
        `service ${scope.serviceId} already has private endpoint ${endpointId}; the resource adopts it, and destroying the resource detaches it`,
      );
    return { id, object: await attach(id, asShown(body, before), context) };
  },

  look: async (look, usual) => usual({ ...look, context: placeOf(look.id, look.context) }),

  send: (id, { desired, live }, context) => attach(id, asShown(desired, live), placeOf(id, context)),

  around: {
    async delete(_usual, id, state, session) {
      const context = placeOf(id, contextOf(privateEndpointResource, state, session));
      const { organizationId, serviceId = "" } = context.scope;
      const endpointId = await shownId(id, context);
      let denial: unknown;
      try {
        const privateEndpointIds = { remove: [endpointId] };
        await session.call("updateService", context.scope, { privateEndpointIds });
      } catch (error) {
        // Even if the service is gone, its private endpoint may still be registered with the organization. So the endpoint is
        // first unregistered, if the program declares `unregister`, and then the error about the missing service is thrown.
        if (!(error instanceof MissingObject)) throw error;
        denial = error;
      } finally {
        session.lists.noteWrite("listServices", { organizationId }, serviceId);
      }
      if (state.unregister === true) await unregister(endpointId, state, context);
      if (denial) throw denial;
    },
  },
});

/** The private endpoints of a service, from the list of services that all resources share. */
async function attachedTo({ session, scope }: Context, asOf: AsOf): Promise<readonly PropertyMap[]> {
  const { organizationId, serviceId = "" } = scope;
  const listed = await session.lists.find("listServices", { organizationId }, serviceId, asOf);
  const isShown = Array.isArray(listed?.privateEndpointIds);
  const service = listed && isShown ? listed : await session.call("getService", scope);
  const { provider: cloudProvider, region } = service;
  return idsIn(service).map((endpointId) => ({
    ...{ id: joined(serviceId, endpointId), serviceId, endpointId, cloudProvider, region },
  }));
}

const idsIn = ({ privateEndpointIds }: Service): readonly string[] =>
  Array.isArray(privateEndpointIds) ? privateEndpointIds.map(String) : [];

/** The Pulumi id of a private endpoint. Several services may have the same endpoint, so the id names the service, too. */
const joined = (serviceId: string | undefined, endpointId: unknown) => `${serviceId}:${endpointId}`;

function placeOf(id: string, { session, scope }: Context): Context {
  const [serviceId, ...rest] = id.split(":");
  if (rest.join("") === "")
    throw new Error(
      `${id} is not the id of a PrivateEndpoint: it is the id of the service, a colon, and the id of the endpoint`,
    );
  return { session, scope: { ...scope, serviceId } };
}

/** Registers and attaches a private endpoint. If the service already has it, only its description changes. */
async function attach(id: string, body: PropertyMap, { session, scope }: Context): Promise<PropertyMap> {
  const { organizationId, serviceId = "" } = scope;
  try {
    const answer = await session.call("createPrivateEndpoint", scope, body);
    return { ...answer, id, serviceId, endpointId: body.id };
  } catch (error) {
    // The service answers 500 for minutes to an endpoint that was made anew in your network, as long as the organization lists the
    // former one, which no longer exists.
    if (error instanceof FailedService) {
      const known = await unattached({ session, scope });
      const former = known.length > 0 ? `${listedIds(known)}, which no service has` : "an earlier one";
      throw new FailedService(
        error.site,
        `${error.reason}; the organization may still list ${former}: if that is gone from your network, take it off in the console, or destroy its resource with unregister: true, and run the update again`,
      );
    }
    throw error;
  } finally {
    session.lists.noteWrite("listServices", { organizationId }, serviceId);
  }
}

/** The private endpoints that the organization lists in the place of a service, and that no service has. Empty if they are not shown. */
async function unattached({ session, scope }: Context): Promise<readonly PropertyMap[]> {
  const { organizationId, serviceId } = scope;
  try {
    const services = await session.lists.read("listServices", { organizationId }, { asOf: "now" });
    const { privateEndpoints } = await session.call("getOrganization", { organizationId });
    const place = services.find(({ id }) => isSameId(id, serviceId));
    const taken = new Set(services.flatMap(idsIn).map((id) => id.toLowerCase()));
    return Array.isArray(privateEndpoints)
      ? privateEndpoints.filter(
          ({ id, cloudProvider, region }: PropertyMap) =>
            cloudProvider === place?.provider &&
            region === place?.region &&
            !taken.has(String(id).toLowerCase()),
        )
      : [];
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return [];
  }
}

/**
 * The body of a request with the id of the endpoint as the service shows it: in another case the service may take it for the id of
 * another endpoint.
 */
const asShown = (body: PropertyMap, shown: PropertyMap = {}) => ({
  ...body,
  id: shown.endpointId ?? body.id,
});

/** The id of an endpoint as the service shows it, which may distinguish the case of ids that are the same for the cloud. */
async function shownId(id: string, context: Context): Promise<string> {
  const own = id.slice(id.indexOf(":") + 1);
  const attached = await attachedTo(context, "write").catch(() => []);
  return String(attached.find(({ endpointId }) => isSameId(endpointId, own))?.endpointId ?? own);
}

async function unregister(endpointId: string, state: State, { session, scope }: Context): Promise<void> {
  const { organizationId, serviceId } = scope;
  const services = await session.lists.read("listServices", { organizationId }, { asOf: "now" });
  const others = services.filter(
    (service) =>
      !isSameId(service.id, serviceId) && idsIn(service).some((other) => isSameId(other, endpointId)),
  );
  const [first] = others;
  const unclear = services.find(({ privateEndpointIds }) => !Array.isArray(privateEndpointIds));
  if (first || unclear) {
    const why = first
      ? `service ${first.id} has it`
      : `the answer does not say whether service ${unclear?.id} has it, too`;
    session.warnOnce(`private endpoint ${endpointId} stays registered with the organization, since ${why}`);
    return;
  }
  const remove = [{ id: endpointId, ...pick(state, ["cloudProvider", "region"]) }];
  await session.call("updateOrganization", { organizationId }, { privateEndpoints: { remove } });
}
