import type { Role } from "../../api/answers.golden";
import { MalformedResponse } from "../../api/errors";
import { uuid } from "../../api/settingsSchema";
import type { Collection, Definition } from "../../lifecycle/definition";
import type { Session } from "../../lifecycle/session";
import { isSameId, type MembersOf } from "../../values/data";

/** The roles of an organization in the API, for what declares a role and for what gives it to keys and members. */
export const roleCollection: Pick<Collection, "type" | "noun" | "operations" | "completenessField"> &
  Pick<Definition, "listed"> = {
  type: "Role",
  noun: "role",
  operations: {
    create: "createRole",
    list: "listRoles",
    get: "getRole",
    update: "updateRole",
    delete: "deleteRole",
  },
  completenessField: "policies",

  // System roles are left out of the list of roles, since no program declares them.
  async listed({ session, scope }, asOf, id) {
    const isWhole = asOf === "now" || asOf === "write";
    const roles = await session.lists.read("listRoles", scope, { asOf, id, isWhole });
    return roles.filter((role) => !isOfSystem(role));
  },
};

/** Whether a role is one of the system roles that ClickHouse Cloud predefines. */
export function isOfSystem({ type }: MembersOf<Role>): boolean {
  return type === "system";
}

/** The actors in an answer about a role: users as `user/<id>` and API keys as `apiKey/<id>`. */
export function actorsIn({ actors }: MembersOf<Role>): readonly string[] {
  return Array.isArray(actors) ? actors.filter((actor) => typeof actor === "string") : [];
}

/** @throws MalformedResponse if the answer of `getRole` does not show which users and API keys have the role */
export function allActorsIn({ id, actors }: MembersOf<Role>, session: Session): readonly string[] {
  if (Array.isArray(actors) && actors.every((actor) => typeof actor === "string")) return actors;
  throw new MalformedResponse(
    session.siteOf("getRole"),
    `the answer does not show the actors of role ${id}; nothing is written without them, since a write replaces the whole list`,
  );
}

export function hasActor(actors: readonly string[], actor: string): boolean {
  return actors.some((other) => isSameActor(other, actor));
}

/** Whether two actors are the same. A uuid may be written in either case, and an id of an identity provider may not. */
export function isSameActor(one: string, other: string): boolean {
  return one === other || (isOfUuid(one) && isSameId(one, other));
}

/** Whether the id of an actor is a uuid, which may be written in either case. */
export function isOfUuid(actor: string): boolean {
  return new RegExp(uuid.pattern).test(actor.slice(actor.indexOf("/") + 1));
}
