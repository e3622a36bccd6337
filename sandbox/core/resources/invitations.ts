import { badRequest, notFound } from "../apiError";
import type { Identifiers } from "../identifiers";
import type { Records } from "../records";
import type { Call, Route, RouteContext } from "../routes";
import { listedRoutes } from "./listed";
import { type Member, members, type RolesBody, roleIdsIn, shownRoles } from "./members";
import type { Resource } from "./resource";

export interface Invitation {
  id: string;
  /** The e-mail address of the invited person, in lower case. */
  email: string;
  roleIds: string[];
  createdAt: string;
  expireAt: string;
}

type InvitationBody = RolesBody & { readonly email: string };

const validMilliseconds = 7 * 24 * 60 * 60_000;

export const invitations = {
  place: "organization",
  dialect: "clickhouse",
  operations: ["listInvitations", "createInvitation", "getInvitation", "deleteInvitation"],
  path: () => "invitations",

  seed: (): Invitation[] => [],

  routes(context: RouteContext): Route[] {
    const { store } = context;
    return listedRoutes<Invitation>(context, {
      collection: invitations,
      noun: "Invitation",
      hasUuids: true,
      tellsUnknown: true,
      membersOf({ body, now }: Call<InvitationBody>) {
        const email = body.email.toLowerCase();
        if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw badRequest("email must be an e-mail address");
        if ([...store.of(members).values()].some((member) => member.email === email))
          throw badRequest("the user is a member of the organization already");
        if ([...store.of(invitations).values()].some((invitation) => invitation.email === email))
          throw badRequest("the user is invited already");
        return {
          email,
          roleIds: roleIdsIn(body, store) ?? roleIdsIn({ role: "developer" }, store) ?? [],
          createdAt: new Date(now).toISOString(),
          expireAt: new Date(now + validMilliseconds).toISOString(),
        };
      },
      show: ({ roleIds, ...invitation }) => ({ ...invitation, ...shownRoles(roleIds, store) }),
    });
  },
} as const satisfies Resource;

export function acceptInvitation(store: Records, email: string, ids: Identifiers, now: number): Member {
  const found = [...store.of(invitations).values()].find(
    (invitation) => invitation.email === email.toLowerCase(),
  );
  if (!found) throw notFound("invitation not found");
  const member: Member = {
    id: ids.uuid(),
    email: found.email,
    name: found.email.split("@")[0] ?? "",
    joinedAt: new Date(now).toISOString(),
    roleIds: found.roleIds,
  };
  store.remove(invitations, found.id);
  store.organization.deletedIds = [...(store.organization.deletedIds ?? []), found.id];
  store.write(members, member);
  return member;
}

export function acceptance(store: Records, ids: Identifiers): Route {
  return {
    method: "POST",
    path: "",
    run({ id, now }) {
      const { email = "" } = store.of(invitations).get(id) ?? {};
      acceptInvitation(store, email, ids, now);
    },
  };
}
