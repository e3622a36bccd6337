import type { Role } from "../../api/answers.golden";
import { uuid } from "../../api/settingsSchema";
import { resourceOf } from "../../lifecycle/lifecycle";
import { notShownYet, observe } from "../../lifecycle/observe";
import type { Resource } from "../../lifecycle/resource";
import { type Context, contextOf, inOrganization } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { isSeen, type Observed, type State } from "../../lifecycle/state";
import type { PropertyMap } from "../../values/data";
import { Type } from "../../values/schemaBuilders";
import type { Failure } from "../../values/validate";
import { type ActorKind, isInList, noteAssignment } from "../access/exclusiveRoles";
import { actorsIn, allActorsIn, hasActor, roleCollection } from "../access/roleCollection";
import { signingActor } from "../access/signingActor";
import { changeActor, saysNoRole } from "./actors";

const id = { ...uuid, replaces: "declared" } as const;

const wordPattern = "^\\S+$";

/**
 * Inputs of the assignment of one role to one API key or user. The resource does not touch other keys and users with the role.
 */
export const roleAssignmentInputs = inOrganization({
  /** Id (uuid) of the assigned role, a custom or a system role. */
  roleId: Type.String({ ...id, of: "Role" }),
  /** Id (uuid) of the API key that gets the role: the `id` of an `ApiKey`. Either this or `userId`. */
  apiKeyId: Type.Optional(Type.String({ ...id, of: "ApiKey" })),
  /** Id of the user that gets the role: the `userId` of a `Member`, a uuid or the name of an identity provider, with `|` and `@`. */
  userId: Type.Optional(
    Type.String({ pattern: wordPattern, rule: "the id of a user, without blanks", replaces: "declared" }),
  ),
});

export const roleAssignmentOutputs = Type.Object({
  /** Name of the assigned role. */
  roleName: Type.Optional(Type.String({ volatile: true })),
});

/** The kinds of actors that can have a role, by the input of `RoleAssignment` that names them. */
const kinds = { apiKeyId: "apiKey", userId: "user" } as const satisfies Record<string, ActorKind>;

type ActorInput = keyof typeof kinds;

const inputsOfActors = Object.keys(kinds) as ActorInput[];

/** The actor that the inputs name, such as `apiKey/<id>`; undefined if a preview does not know its id. */
function actorOf(inputs: PropertyMap): string | undefined {
  const name = inputsOfActors.find((input) => isActorId(input, inputs[input]));
  return name && `${kinds[name]}/${inputs[name]}`;
}

function noteDeclared(inputs: PropertyMap, session: Session): ReturnType<typeof noteAssignment> {
  const name = inputsOfActors.find((input) => (inputs[input] ?? undefined) !== undefined);
  if (name === undefined) return {};
  const id = inputs[name];
  return noteAssignment(kinds[name], isActorId(name, id) ? id : undefined, inputs.roleId, session);
}

const isId = (value: unknown): value is string =>
  typeof value === "string" && new RegExp(uuid.pattern).test(value);

const isActorId = (name: ActorInput, value: unknown): value is string =>
  name === "apiKeyId" ? isId(value) : typeof value === "string" && new RegExp(wordPattern).test(value);

/** The Pulumi id of a role assignment, which the service does not give: `<role>:apiKey:<key>` or `<role>:user:<user>`. */
function idOf(inputs: PropertyMap): string | undefined {
  const actor = actorOf(inputs);
  return isId(inputs.roleId) && actor ? joined(inputs.roleId, actor) : undefined;
}

/** Joins a role and an actor, such as `user/<id>`. A uuid may be written in either case, and other ids of users may not. */
function joined(roleId: string, actor: string): string {
  const [kind = "", ...rest] = actor.split("/");
  const actorId = rest.join("/");
  return `${roleId}:${kind}:`.toLowerCase() + (isId(actorId) ? actorId.toLowerCase() : actorId);
}

/** @throws Error if the text is not the Pulumi id of a role assignment */
function partsOf(text: string): {
  readonly roleId: string;
  readonly actor: string;
  readonly kind: ActorKind;
  readonly actorId: string;
  readonly inputs: PropertyMap;
} {
  const [roleId = "", kind = "", ...rest] = text.split(":");
  const actorId = rest.join(":");
  const input = inputsOfActors.find((name) => kinds[name].toLowerCase() === kind.toLowerCase());
  if (!isId(roleId) || !input || !isActorId(input, actorId))
    throw new Error(
      `${JSON.stringify(text)} is not the id of a role assignment: write "<role>:apiKey:<key>" or "<role>:user:<user>", with the UUIDs of role and key`,
    );
  const ownKind = kinds[input];
  return {
    ...{ roleId, actor: `${ownKind}/${actorId}`, kind: ownKind, actorId },
    inputs: { roleId, [input]: actorId },
  };
}

export const roleAssignmentResource: Resource = resourceOf({
  type: "RoleAssignment",
  noun: "role assignment",
  inputs: roleAssignmentInputs,
  outputs: roleAssignmentOutputs,
  scope: "organization",
  dialect: "clickhouse",
  // API keys and members can declare their roles themselves, in `assignedRoleIds`. If `pipestack import` writes keys or
  // members, it writes no role assignments, so that no role is declared twice.
  isPartOf: ["ApiKey", "Member"],
  operations: {
    create: "updateRole",
    list: "listRoles",
    get: "getRole",
    update: "updateRole",
    delete: "updateRole",
  },
  calls: ["listKeys"],

  isNamedInOrganization: true,
  idIn: idOf,
  listed: async ({ session, scope }) =>
    (await session.lists.read("listRoles", scope)).flatMap((role) =>
      actorsIn(role).map((actor) => objectOf(joined(String(role.id), actor), role)),
    ),

  failures,

  decode: ({ id, roleName }) => ({ roleName, ...partsOf(String(id)).inputs }),

  async creation({ inputs, context }) {
    const assignmentId = idOf(inputs) ?? "";
    const { roleId, actor } = partsOf(assignmentId);
    const { failure } = noteDeclared(inputs, context.session);
    if (failure !== undefined) throw new Error(failure);
    const { role, before } = await changeActor(roleId, actor, true, context);
    if (hasActor(before, actor))
      context.session.warnOnce(
        `RoleAssignment: ${actor} has role ${roleId} already; the assignment is taken over, and destroying the resource takes the role away`,
      );
    return { id: assignmentId, object: objectOf(assignmentId, role) };
  },

  look: ({ id, state, context }) => look(id, state, context),

  // Each input of a role assignment is a part of its id, so there are no updates.
  send: async (id) => ({ id }),

  around: {
    async check(usual, olds, news, session) {
      const checked = await usual(olds, news, session);
      if (checked.failures.length > 0) return checked;
      const { failure, warning } = noteDeclared(checked.inputs, session);
      if (failure !== undefined) return { ...checked, failures: [{ path: "", message: failure }] };
      return warning === undefined
        ? checked
        : { ...checked, warnings: [...checked.warnings, `RoleAssignment: ${warning}`] };
    },

    async delete(_usual, assignmentId, state, session) {
      const context = contextOf(roleAssignmentResource, state, session);
      const { roleId, actor, kind, actorId } = partsOf(assignmentId);
      if (isInList(kind, actorId, roleId, session)) return;
      const signing = await signingActor([actor], context);
      if (signing !== undefined && (await mayHaveRole(roleId, actor, context)))
        throw new Error(
          `role assignment ${assignmentId} is not deleted: ${signing}, which would lose the permissions of the role. To go on, set other credentials in keyId and keySecret, or leave the assignment with the key by "pulumi state delete"; what the stack still has, such as services, stays and is billed until then`,
        );
      try {
        await changeActor(roleId, actor, false, context);
      } catch (error) {
        const isGone = saysNoRole(error) && (await observe(roleCollection, roleId, context)) === "gone";
        if (!isGone) throw error;
      }
    },
  },
});

/** A role assignment as the API would show it, made from its Pulumi id and the role. */
function objectOf(id: string, { name }: Role): PropertyMap {
  return { id, roleName: name };
}

function failures(declared: PropertyMap): Failure[] {
  const named = inputsOfActors.filter((name) => (declared[name] ?? undefined) !== undefined);
  if (named.length === 1) return [];
  return named.length === 0
    ? [{ path: "apiKeyId", message: "is missing, and so is userId: declare the one that gets the role" }]
    : [{ path: "apiKeyId", message: "conflicts with userId; declare an assignment for each of them" }];
}

/**
 * Reads whether a role has the user or API key of a role assignment. The assignment is gone if the role is gone, or if an
 * answer of `getRole` does not show the user or key.
 */
async function look(assignmentId: string, state: State, context: Context): Promise<Observed> {
  const { roleId, actor } = partsOf(assignmentId);
  const isAmong = (actors: readonly string[]) => hasActor(actors, actor);
  // One list of roles serves the refresh of all role assignments.
  const listed = await context.session.lists.find("listRoles", context.scope, roleId).catch(() => undefined);
  if (listed && isAmong(actorsIn(listed))) return objectOf(assignmentId, listed);
  const role = await observe(roleCollection, roleId, context, { state, isDoubtful: () => true });
  if (!isSeen(role)) return role;
  if (isAmong(allActorsIn(role, context.session))) return objectOf(assignmentId, role);
  return notShownYet(roleAssignmentResource, assignmentId, state, context.session) ?? "gone";
}

/** Whether a role may have a user or API key, as far as the role itself tells. */
async function mayHaveRole(roleId: string, actor: string, context: Context): Promise<boolean> {
  const role = await observe(roleCollection, roleId, context, { isDoubtful: () => true });
  return role !== "gone" && (!isSeen(role) || hasActor(allActorsIn(role, context.session), actor));
}
