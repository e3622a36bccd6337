import { type Static, Type } from "@sinclair/typebox";
import { badRequest } from "../apiError";
import { seededAt, seededCredentials } from "../credentials";
import type { Call, Route, RouteContext } from "../routes";
import { closed } from "./jsonSchema";
import { datesOf, listedRoutes, usualOperations } from "./listed";
import type { Resource } from "./resource";

/** The record of a connection from HyperDX to a database. Responses omit `serviceId` and `password`. */
export interface Connection {
  id: string;
  serviceId: string;
  name: string;
  host: string;
  username: string;
  password: string;
  hyperdxSettingPrefix?: string;
  isPrometheusEndpoint?: boolean;
  createdAt: string;
  updatedAt: string;
}

const Body = closed(
  { name: Type.String(), host: Type.String(), username: Type.String() },
  {
    password: Type.String(),
    hyperdxSettingPrefix: Type.Union([Type.String({ pattern: "^[A-Za-z0-9_]*$" }), Type.Null()]),
    isPrometheusEndpoint: Type.Boolean(),
  },
);

/** The connections from HyperDX to databases in the sandbox. A connection can be deleted although sources still refer to it. */
export const connections = {
  place: "observability",
  operations: usualOperations("Connection", "Connections"),
  path: () => "connections",

  seed: (): Connection[] => [
    {
      id: "65f1c0a2b3d4e5f607182900",
      serviceId: seededCredentials.serviceId,
      name: "Default",
      host: "https://warehouse.example.com:8443",
      username: "default",
      password: "",
      createdAt: seededAt,
      updatedAt: seededAt,
    },
  ],

  columns: ["host", "username"],

  routes: (context: RouteContext): Route[] =>
    listedRoutes<Connection>(context, {
      collection: connections,
      noun: "Connection",
      bodies: { create: Body, update: Body },
      missing: "text",
      membersOf,
      show: ({ serviceId, password, ...connection }) => connection,
    }),
} as const satisfies Resource;

/**
 * Returns the properties of a connection after an update. An update keeps omitted properties, and the password also if the body
 * has an empty one. Only null or `""` clears a prefix.
 */
function membersOf(
  { body: { password, hyperdxSettingPrefix: prefix, ...members }, now }: Call<Static<typeof Body>>,
  current?: Connection,
): Omit<Connection, "id" | "serviceId"> {
  if (!current && prefix === "") throw badRequest("Body validation failed: hyperdxSettingPrefix: Invalid");
  const { hyperdxSettingPrefix: currentPrefix, isPrometheusEndpoint } = current ?? {};
  const hyperdxSettingPrefix = prefix === undefined ? currentPrefix : prefix || undefined;
  return {
    ...(isPrometheusEndpoint === undefined ? {} : { isPrometheusEndpoint }),
    ...members,
    password: password || current?.password || "",
    ...(hyperdxSettingPrefix === undefined ? {} : { hyperdxSettingPrefix }),
    ...datesOf(now, current),
  };
}
