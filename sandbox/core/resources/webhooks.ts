import { isIP } from "node:net";
import { type Static, Type } from "@sinclair/typebox";
import { badRequest } from "../apiError";
import { seededAt, seededCredentials } from "../credentials";
import type { Records } from "../records";
import type { Call, Route, RouteContext } from "../routes";
import { closed, words } from "./jsonSchema";
import { datesOf, listedRoutes } from "./listed";
import type { Resource } from "./resource";

/**
 * The record of a webhook. Responses omit `serviceId`, `headers` and `queryParams`, and `body` unless the webhook is generic.
 */
export interface Webhook {
  id: string;
  serviceId: string;
  name: string;
  service: string;
  url: string;
  description?: string;
  body?: string;
  headers?: Record<string, string>;
  queryParams?: Record<string, string>;
  /** Whether titles of the webhook's messages begin with an emoji. Requests may have this undocumented property. */
  titleEmoji?: boolean;
  createdAt: string;
  updatedAt: string;
}

const noControlCharacters = "^[^\\u0000-\\u001f\\u007f]*$";
const pairs = (names: object) =>
  Type.Unsafe<Record<string, string>>({
    type: "object",
    maxProperties: 100,
    propertyNames: { minLength: 1, ...names },
    additionalProperties: { type: "string", maxLength: 4096, pattern: noControlCharacters },
  });

const Body = closed(
  {
    name: Type.String({ minLength: 1, maxLength: 1024, pattern: "\\S" }),
    service: words("slack", "incidentio", "generic"),
    url: Type.String({ maxLength: 2048 }),
  },
  {
    description: Type.String({ maxLength: 2048 }),
    body: Type.String({ maxLength: 16_384 }),
    headers: pairs({ maxLength: 256, pattern: "^[!#$%&'*+\\-.A-Z^_`a-z|~][!#$%&'*+\\-.0-9A-Z^_`a-z|~]*$" }),
    queryParams: pairs({ maxLength: 1024, pattern: noControlCharacters }),
  },
);

/** The webhooks of a service in the sandbox. No server has a route to read a single webhook. */
export const webhooks = {
  place: "stack",
  operations: ["listWebhooks", "createWebhook", "updateWebhook", "deleteWebhook"],
  path: () => "webhooks",

  seed: (): Webhook[] => [
    {
      id: "65f1c0a2b3d4e5f607182921",
      serviceId: seededCredentials.serviceId,
      name: "on-call",
      service: "generic",
      url: "https://hooks.example.com/on-call",
      description: "Pages whoever is on call",
      createdAt: seededAt,
      updatedAt: seededAt,
    },
  ],

  columns: ["service", "description"],

  routes: (context: RouteContext): Route[] =>
    listedRoutes<Webhook>(context, {
      collection: webhooks,
      noun: "Webhook",
      showsMore: true,
      bodies: { create: Body, update: Body },
      membersOf: (call, current) => membersOf(call, context.store, current),
      show: ({ serviceId, headers, queryParams, body, ...webhook }) =>
        webhook.service === "generic" && body !== undefined ? { ...webhook, body } : webhook,
    }),
} as const satisfies Resource;

/**
 * Returns the properties of a webhook that a request body sets. A replacement clears omitted properties. It keeps omitted
 * headers and parameters, which no response shows, unless the webhook gets another address or kind.
 */
function membersOf(
  { body: members, service, now }: Call<Static<typeof Body>>,
  records: Records,
  current?: Webhook,
) {
  const name = members.name.trim();
  checkUrl(members);
  for (const member of ["headers", "queryParams", "body"] as const)
    if (members.service === "slack" && members[member] !== undefined)
      throw badRequest(
        `Body validation failed: ${member}: ${member} is not supported for the slack webhook service`,
      );
  const isTaken = records
    .ofService(webhooks, service.id)
    .some(
      (webhook) => webhook.id !== current?.id && webhook.service === members.service && webhook.name === name,
    );
  if (isTaken) throw badRequest("A webhook with this service and name already exists");
  const isSamePlace = members.url === current?.url && members.service === current?.service;
  const secretsOf = (member: "headers" | "queryParams") => {
    const value = members[member] ?? (isSamePlace ? current?.[member] : undefined);
    return value && Object.keys(value).length > 0 ? { [member]: value } : {};
  };
  return {
    ...members,
    name,
    headers: undefined,
    queryParams: undefined,
    ...secretsOf("headers"),
    ...secretsOf("queryParams"),
    ...datesOf(now, current),
  };
}

function checkUrl({ service, url: text }: Static<typeof Body>): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw badRequest("Body validation failed: url: Invalid url");
  if (!/^https?:$/.test(url.protocol)) throw badRequest("Webhook URL must use http or https");
  if (service === "slack" && !/(^|\.)slack\.com$/.test(url.hostname))
    throw badRequest("Slack Webhook URL must have hostname slack.com");
  const isPrivate =
    url.hostname === "localhost" ||
    (isIP(url.hostname) === 4 &&
      /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(url.hostname)) ||
    /^\[(::1?|f[cd].*|fe80.*)\]$/.test(url.hostname);
  if (isPrivate) throw badRequest("Webhook URL must not point to a private address");
}
