import { isDeepStrictEqual } from "node:util";
import { type Static, Type } from "@sinclair/typebox";
import { badRequest } from "../apiError";
import type { Call, Route, RouteContext } from "../routes";
import { closed, words } from "./jsonSchema";
import { datesOf, listedRoutes, usualOperations } from "./listed";
import type { Resource } from "./resource";

export interface ClickStackRole {
  id: string;
  serviceId: string;
  name: string;
  description?: string;
  isPredefined: boolean;
  permissions: Static<typeof Permission>[];
  createdAt: string;
  updatedAt: string;
}

const kinds = [
  ...["Alert", "Connection", "Dashboard", "Notebook", "Role", "SavedSearch", "SchemaMigration", "Source"],
  ...["Team", "User", "Webhook", "all"],
] as const;

const right = {
  action: words("create", "delete", "manage", "read", "update"),
  subject: words(...kinds),
};
const limits = { inverted: Type.Boolean(), fields: Type.Array(Type.String()) };

const Permission = Type.Union([
  closed(
    { integration: Type.Literal("mongodb"), ...right },
    {
      ...limits,
      conditions: Type.Record(
        Type.String(),
        Type.Union([Type.String(), closed({ $regex: Type.String() }, { $options: Type.String() })]),
      ),
    },
  ),
  closed(
    { integration: Type.Literal("clickhouse"), ...right },
    {
      ...limits,
      conditions: closed({
        connection: Type.String(),
        from: closed({ databaseName: Type.String(), tableName: Type.String() }),
        where: Type.String(),
        whereLanguage: words("lucene", "sql"),
      }),
    },
  ),
]);

const description = Type.String();
const permissions = Type.Array(Permission);
const name = Type.String({ minLength: 1 });
const Creation = closed({ name, permissions }, { description });
const Replacement = closed({ permissions }, { name, description });

/** Without this permission nobody could query anything, so the service gives it to every role. */
const always = { integration: "mongodb", action: "read", subject: "Connection" } as const;

export const clickStackRoles = {
  place: "service",
  dialect: "clickhouse",
  operations: usualOperations("ClickStackRole", "ClickStackRoles"),
  path: () => "clickstack/roles",

  seed: (): ClickStackRole[] => [],
  columns: ["description", "isPredefined"],

  routes: (context: RouteContext): Route[] =>
    listedRoutes<ClickStackRole>(context, {
      collection: clickStackRoles,
      noun: "Role",
      bodies: { create: Creation, update: Replacement },
      membersOf,
      deleting: ({ isPredefined }) => refuseIf(isPredefined),
    }),
} as const satisfies Resource;

function membersOf({ body, now }: Call<Static<typeof Replacement>>, current?: ClickStackRole) {
  refuseIf(current?.isPredefined);
  const { name = current?.name ?? "", description, permissions } = body;
  const isThere = permissions.some((permission) => isDeepStrictEqual(permission, always));
  return {
    name,
    description: description ?? current?.description,
    isPredefined: false,
    permissions: isThere ? permissions : [...permissions, { ...always }],
    ...datesOf(now, current),
  };
}

function refuseIf(isPredefined: boolean | undefined): void {
  if (isPredefined) throw badRequest("Predefined roles cannot be changed");
}
