import { enums } from "../../api/enums.golden";
import { InvalidIdentifier, MissingObject, MissingRoute } from "../../api/errors";
import { resourceOf } from "../../lifecycle/lifecycle";
import { aboutObject, observe } from "../../lifecycle/observe";
import type { Resource } from "../../lifecycle/resource";
import { adoptable, type Context, contextOf, inOrganization } from "../../lifecycle/scope";
import { isSeen, type State, seenOrGone } from "../../lifecycle/state";
import { RefusedTakeover } from "../../lifecycle/takeover";
import type { PropertyMap } from "../../values/data";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import { allActorsIn, isOfSystem, roleCollection } from "../access/roleCollection";
import { signingActor } from "../access/signingActor";
import { grants, policiesIn, roleFailures } from "./policies";

const text = { minLength: 1 };

/**
 * Inputs of a role of the ClickHouse Cloud organization.
 * @see "Create organization role" in the documents of ClickHouse Cloud
 */
export const roleInputs = inOrganization({
  /**
   * Adopts the existing role with this id instead of creating one. Has no effect once the role is in the Pulumi state; a change
   * that replaces the role is refused while `adoptId` is declared.
   */
  adoptId: adoptable,
  /** Name of the role. Default: the name of the resource. */
  name: Type.Optional(Type.String(text)),
  /**
   * Policies of the role, which allow or deny actions, in any order. The service adds permissions to some policies by itself,
   * such as the permission to delete to `control-plane:service:manage`. These are no drift, but permissions that somebody else
   * adds are.
   */
  policies: Type.Array(
    Type.Object(
      {
        /** Whether the policy allows or denies its permissions: `ALLOW` or `DENY`. */
        allowDeny: oneOf(enums.policyEffect),
        /**
         * Permissions of the policy, such as `control-plane:service:view`. Either all or none of them belong to the
         * organization (`control-plane:organization:…`).
         */
        permissions: Type.Array(Type.String({ ...text, comparison: "id" }), {
          minItems: 1,
          uniqueItems: true,
          comparison: "set",
          otherForms: "longer",
        }),
        /**
         * Resources to which the policy's permissions apply: `organization/<id>` for permissions of the organization; for
         * others `instance/<id>` for one service, or `instance/*` for all services.
         */
        resources: Type.Array(Type.String({ ...text, comparison: "id" }), {
          minItems: 1,
          uniqueItems: true,
          comparison: "set",
        }),
        /** Rights of the role within the databases of the services, as the SQL console uses them. */
        tags: Type.Optional(
          Type.Object(
            {
              /** SQL grants of the role, such as `GRANT SELECT ON default.*`. */
              grants: Type.Optional(Type.Array(Type.String(text), { comparison: "set" })),
              /** Predefined role in the SQL console: `sql-console-readonly` or `sql-console-admin`. */
              roleV2: Type.Optional(oneOf(enums.sqlConsoleRole)),
            },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: false, identity: ["allowDeny", "resources"] },
    ),
    { comparison: "set", newIds: true },
  ),
});

export const roleOutputs = Type.Object({
  /** Kind of role: always `custom`, since system roles cannot be declared. */
  type: Type.Optional(Type.String()),
  /** Id of the role's owner. */
  ownerId: Type.Optional(Type.String()),
  /** Id (uuid) of the organization that the role belongs to. */
  tenantId: Type.Optional(Type.String()),
  /** Users and API keys that have the role: `user/<id>` and `apiKey/<id>`. A `RoleAssignment` declares one of them. */
  actors: Type.Optional(Type.Array(Type.String(), { volatile: true })),
  /** When the role was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
  /** When the role or the list of its users and keys was last changed (ISO 8601). */
  updatedAt: Type.Optional(Type.String({ volatile: true })),
});

export const roleResource: Resource = resourceOf({
  ...roleCollection,
  inputs: roleInputs,
  outputs: roleOutputs,
  scope: "organization",
  dialect: "clickhouse",
  isNoOrphan: true,
  calls: ["listKeys"],
  namedBy: "name",

  failures: ({ policies, organizationId }) =>
    roleFailures(policies, typeof organizationId === "string" ? organizationId : undefined),

  // A request that creates a role has to contain the list of the users and API keys that have it. Updates leave the list out,
  // since `RoleAssignment` resources manage it.
  encode: (body, _settings, current) => (current ? body : { ...body, actors: [] }),

  decode: (answer) => ({ ...answer, ...("policies" in answer && { policies: policiesIn(answer) }) }),

  // A role that a lost create request may have made: the service may have added permissions to it, but nobody has the role yet.
  isLike: (object, body) =>
    object.name === body.name &&
    !isOfSystem(object) &&
    Array.isArray(object.actors) &&
    object.actors.length === 0 &&
    grants(policiesIn(object), policiesIn(body)),

  async look(look, usual) {
    const observed = await usual(look);
    // `pulumi import` of a system role is refused, since nobody can change the role. A refresh is not refused. It is a refresh if
    // the Pulumi state has the role's name.
    const isDeclared = look.moment === "read" && "name" in look.state;
    if (isSeen(observed) && isOfSystem(observed) && !isDeclared)
      throw new RefusedTakeover(`role ${look.id} is a system role, which nobody can change; ${advice}`);
    return observed;
  },

  around: {
    async delete(usual, id, state, session) {
      const context = contextOf(roleResource, state, session);
      const role = await roleItself(id, state, context);
      const signing = role !== "gone" && (await signingActor(allActorsIn(role, session), context));
      if (signing)
        throw new Error(
          `role ${id} is not deleted: ${signing}, which would lose its permissions; set other credentials in keyId and keySecret first`,
        );
      return usual(id, state, session);
    },
  },
});

/**
 * The role with the users and keys that have it. Only the role itself shows all of them, so the list is asked only where the service
 * denies that there is such a role: each deletion would make the list stale for the next one.
 */
async function roleItself(id: string, state: State, context: Context): Promise<PropertyMap | "gone"> {
  try {
    const answer = await context.session.call("getRole", { ...context.scope, id });
    return aboutObject(answer, "getRole", id, context.session);
  } catch (error) {
    if (![MissingObject, InvalidIdentifier, MissingRoute].some((type) => error instanceof type)) throw error;
    return seenOrGone(await observe(roleResource, id, context, { state, isDoubtful: () => true }));
  }
}

const advice = "refer to it by getRole, and give it to keys and members with RoleAssignment";
