import { isDeepStrictEqual } from "node:util";
import { enums } from "../../api/enums.golden";
import { resourceOf } from "../../lifecycle/lifecycle";
import { adoptable, inService } from "../../lifecycle/scope";
import { isSeen } from "../../lifecycle/state";
import { RefusedTakeover } from "../../lifecycle/takeover";
import type { PropertyMap } from "../../values/data";
import { oneOf } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";
import { decodedPermissions, encodedPermissions, isAddedByService, permissionFailures } from "./permissions";

const text = { minLength: 1 };

/**
 * Inputs of a role of ClickStack.
 * @see "Create a ClickStack role" in the documents of ClickHouse Cloud
 */
export const clickStackRoleInputs = inService({
  /**
   * Adopts the existing role with this id instead of creating one. Has no effect once the role is in the Pulumi state; a change
   * that replaces the role is refused while `adoptId` is declared.
   */
  adoptId: adoptable,
  /** Name of the role. Default: the name of the resource. */
  name: Type.Optional(Type.String(text)),
  /** Description of the role. Default: none. */
  description: Type.Optional(Type.String({ reset: "" })),
  /**
   * What the role allows and denies. The order counts: of two permissions for the same action and object the later one prevails.
   * The program owns each permission as a whole, so what others add to one is drift.
   * The service adds the permission to read connections to every role by itself, which is no drift.
   */
  permissions: Type.Array(
    Type.Object(
      {
        /**
         * Whether the permission is about the objects of ClickStack, such as dashboards (`mongodb`), or about rows of data
         * (`clickhouse`).
         */
        integration: oneOf(enums.clickStackIntegration),
        /** What the permission allows: `create`, `read`, `update`, `delete`, or `manage`, which means all of them. */
        action: oneOf(enums.clickStackAction),
        /** The kind of object that the permission is about, such as `Dashboard`, or `all`. */
        subject: oneOf(enums.clickStackSubject),
        /** Whether the permission denies instead of allowing. Default: it allows. */
        inverted: Type.Optional(Type.Boolean()),
        /** The properties of the objects to which the permission is limited. Default: all. */
        fields: Type.Optional(Type.Array(Type.String(text))),
        /**
         * The values that an object's properties must have, by their names, such as `name`, `tags` or `_id`. For `mongodb` alone.
         * Default: any.
         */
        conditions: Type.Optional(Type.Record(Type.String(), Type.String(), { comparison: "whole" })),
        /**
         * The regular expressions that an object's properties must match, by their names. For `mongodb` alone. Default: none.
         */
        patterns: Type.Optional(
          Type.Record(
            Type.String(),
            Type.Object(
              {
                /** Regular expression that the property's value must match, such as `^team-a`. */
                pattern: Type.String(text),
                /** Options of the regular expression: `i` ignores the case. Default: none. */
                options: Type.Optional(Type.String({ comparison: "emptyIsNone" })),
              },
              { additionalProperties: false },
            ),
            { comparison: "whole" },
          ),
        ),
        /** The rows of data that the permission is about. For `clickhouse` alone. Default: all. */
        rows: Type.Optional(
          Type.Object(
            {
              /** Id of the connection through which the rows are read. */
              connectionId: Type.String(text),
              /** Name of the database that has the rows. */
              databaseName: Type.String(text),
              /** Name of the table that has the rows. */
              tableName: Type.String(text),
              /** Condition that the rows must meet. */
              where: Type.String(),
              /** Language of the condition: `lucene` or `sql`. */
              whereLanguage: oneOf(enums.whereLanguage),
            },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: false, comparison: "whole" },
    ),
  ),
});

/** What a role of ClickStack allows or denies. */
export type ClickStackPermission = Static<typeof clickStackRoleInputs>["permissions"][number];

/** Outputs of a role of ClickStack beyond its inputs. */
export const clickStackRoleOutputs = Type.Object({
  /** Whether the service predefines the role. Such a role cannot be declared. */
  isPredefined: Type.Optional(Type.Boolean()),
  /** When the role was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
  /** When the role was last changed (ISO 8601). */
  updatedAt: Type.Optional(Type.String({ volatile: true })),
});

export const clickStackRoleResource = resourceOf({
  type: "ClickStackRole",
  noun: "ClickStack role",
  inputs: clickStackRoleInputs,
  outputs: clickStackRoleOutputs,
  scope: "service",
  dialect: "clickhouse",
  isNoOrphan: "unlessNamed",
  operations: {
    create: "createClickStackRole",
    list: "listClickStackRoles",
    get: "getClickStackRole",
    update: "updateClickStackRole",
    delete: "deleteClickStackRole",
  },
  namedBy: "name",
  completenessField: "permissions",

  // Predefined roles are left out of the list, since no program declares them.
  async listed({ session, scope }, asOf, id) {
    const isWhole = asOf === "now" || asOf === "write";
    const roles = await session.lists.read("listClickStackRoles", scope, { asOf, id, isWhole });
    return roles.filter((role) => !isPredefined(role));
  },

  // The document does not say that the service refuses to change a predefined role.
  async look(look, usual) {
    const observed = await usual(look);
    const isDeclared = look.moment === "read" && "name" in look.state;
    if (isSeen(observed) && isPredefined(observed) && !isDeclared)
      throw new RefusedTakeover(
        `ClickStack role ${look.id} is predefined, and nobody can change it; declare a role with another name`,
      );
    return observed;
  },

  failures: ({ permissions }) => permissionFailures(permissions),

  encode: (body) => ({ ...body, permissions: encodedPermissions(body.permissions) }),

  decode: (answer) => ({
    ...answer,
    ...("permissions" in answer && { permissions: decodedPermissions(answer.permissions) }),
  }),

  formOf(live, { permissions: declared }) {
    const { permissions } = live;
    if (!Array.isArray(permissions) || !Array.isArray(declared)) return live;
    const isDeclared = declared.some(isAddedByService);
    const own = permissions.filter((permission) => isDeclared || !isAddedByService(permission));
    return { ...live, permissions: own };
  },

  isLike: (object, body) =>
    object.name === body.name &&
    (object.description ?? "") === (body.description ?? "") &&
    !isPredefined(object) &&
    isDeepStrictEqual(ownPermissions(object), ownPermissions(body)),
});

const isPredefined = (role: PropertyMap) => role.isPredefined === true;

function ownPermissions({ permissions }: PropertyMap): readonly unknown[] {
  return Array.isArray(permissions) ? permissions.filter((permission) => !isAddedByService(permission)) : [];
}
