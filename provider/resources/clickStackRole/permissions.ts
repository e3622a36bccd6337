import { isEmpty } from "../../values/compare";
import { isObject, type PropertyMap } from "../../values/data";
import type { Failure } from "../../values/validate";

/** A list of permissions of a role, in the names of inputs, in the form of a request. */
export function encodedPermissions(permissions: unknown): unknown {
  return Array.isArray(permissions) ? permissions.map(encoded) : permissions;
}

function encoded(permission: unknown): unknown {
  if (!isObject(permission)) return permission;
  const { conditions, patterns, rows, ...rest } = permission;
  if (isObject(rows)) {
    const { connectionId, databaseName, tableName, ...filter } = rows;
    const from = { databaseName, tableName };
    return { ...rest, conditions: { connection: connectionId, from, ...filter } };
  }
  if (conditions === undefined && patterns === undefined) return rest;
  const expressions = Object.entries(isObject(patterns) ? patterns : {}).map(([name, expression]) => {
    const { pattern, options, ...others } = isObject(expression) ? expression : {};
    return [name, { $regex: pattern, ...(options !== undefined && { $options: options }), ...others }];
  });
  return {
    ...rest,
    conditions: { ...(isObject(conditions) && conditions), ...Object.fromEntries(expressions) },
  };
}

/** A list of permissions of a role in an answer, in the names of inputs. */
export function decodedPermissions(permissions: unknown): unknown {
  return Array.isArray(permissions) ? permissions.map(decoded) : permissions;
}

function decoded(permission: unknown): unknown {
  if (!isObject(permission) || !isObject(permission.conditions)) return permission;
  const { conditions, ...rest } = permission;
  if (permission.integration === "clickhouse") {
    const { connection, from, ...filter } = conditions;
    return { ...rest, rows: { connectionId: connection, ...(isObject(from) && from), ...filter } };
  }
  const entries = Object.entries(conditions);
  const values = entries.filter(([, value]) => !isObject(value));
  const patterns = entries.flatMap(([name, value]) => {
    if (!isObject(value)) return [];
    const { $regex: pattern, $options: options, ...others } = value;
    return [[name, { pattern, ...(options !== undefined && { options }), ...others }]];
  });
  return {
    ...rest,
    ...((values.length > 0 || patterns.length === 0) && { conditions: Object.fromEntries(values) }),
    ...(patterns.length > 0 && { patterns: Object.fromEntries(patterns) }),
  };
}

/**
 * Whether the service adds a permission to every role by itself: to read connections, without which nothing can be queried. An empty
 * limit is none.
 */
export function isAddedByService(permission: unknown): boolean {
  if (!isObject(permission)) return false;
  const { integration, action, subject, inverted, ...limits } = permission;
  const isToRead = integration === "mongodb" && action === "read" && subject === "Connection";
  return isToRead && inverted !== true && Object.values(limits).every(isEmpty);
}

/** The failures for permissions whose limits do not belong to their integration, or contradict each other. */
export function permissionFailures(permissions: unknown): Failure[] {
  if (!Array.isArray(permissions)) return [];
  return permissions.flatMap((permission: PropertyMap | null, index) => {
    const path = `permissions[${index}]`;
    if (!isObject(permission)) return [];
    const { integration, conditions, patterns, rows } = permission;
    const strangers =
      integration === "mongodb" ? { rows } : integration === "clickhouse" ? { conditions, patterns } : {};
    const needed = integration === "mongodb" ? "clickhouse" : "mongodb";
    const both = Object.keys(isObject(conditions) ? conditions : {}).filter(
      (name) => isObject(patterns) && name in patterns,
    );
    return [
      ...Object.entries(strangers).flatMap(([name, value]) =>
        value === undefined
          ? []
          : [
              {
                path: `${path}.${name}`,
                message: `is for permissions with integration ${needed}; leave it out`,
              },
            ],
      ),
      ...both.map((name) => ({
        path: `${path}.patterns.${name}`,
        message: "stands in conditions, too; declare the property in one of the two",
      })),
    ];
  });
}
