import { enums } from "../../api/enums.golden";
import { isOlder } from "../../api/serverVersion";
import { isUnchanged } from "../../lifecycle/check";
import { decode } from "../../lifecycle/decode";
import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import { adoptable, inService } from "../../lifecycle/scope";
import { shows } from "../../values/compare";
import { isObject } from "../../values/data";
import { shortened } from "../../values/printable";
import { joinPath, oneOf, withoutOuterBlanks } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";
import { isUnknown } from "../../values/unknown";
import { type Failure, notOneOf } from "../../values/validate";
import { quoted } from "../../values/wording";
import { newerVariables, unknownVariables } from "./bodyTemplate";

/** The schema options of a map of texts that no answer of the API shows, since they may be secret. */
const hiddenTexts = { secret: true, shown: "never", reset: {} } as const;

const kinds = enums.declarableWebhookService;

/** Inputs of a webhook, from the documentation of HyperDX, since the API document does not describe it. */
export const webhookInputs = inService({
  /**
   * Adopts the existing webhook with this id instead of creating one. Has no effect once the webhook is in the Pulumi state; a
   * change that replaces the webhook is refused while `adoptId` is declared.
   */
  adoptId: adoptable,
  /**
   * Name of the webhook, up to 1024 characters; only one webhook of each `service` may have it. Default: the name of the
   * resource.
   */
  name: Type.Optional(Type.String({ ...withoutOuterBlanks, longest: 1024 })),
  /**
   * The receiver of the alerts: `slack`, `incidentio` (incident.io) or `generic`. An existing webhook may also have `slack_api`
   * or `pagerduty_api`, which only the console can create.
   */
  service: oneOf(enums.webhookService, {
    rule: `one of ${kinds.join(", ")}`,
  }),
  /**
   * Address that alerts are sent to, up to 2048 characters, with `http` or `https`; an address of slack.com if `service` is
   * `slack`. Whoever knows the address may send messages there, so it is kept encrypted in the Pulumi state.
   */
  url: Type.String({
    pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/]",
    rule: "an address with http or https",
    secret: true,
    // This placeholder is written where the webhook's secret address must not be shown. It is valid for every kind of webhook.
    standIn: "https://slack.com",
    longest: 2048,
  }),
  /** Description of the webhook, up to 2048 characters. Default: none. */
  description: Type.Optional(Type.String({ minLength: 1, longest: 2048 })),
  /**
   * Template (Handlebars) of the body of the webhook's request, up to 16384 characters. Not if `service` is `slack`. Its
   * variables are `title`, `body`, `link`, `state`, `startTime`, `endTime` and `eventId`; since version 2.38 of the self-hosted
   * server also `startTimeISO`, `endTimeISO`, `alertId`, `status`, `alertType`, `comparator`, `threshold`, `thresholdMax`,
   * `value`, `groupKey`, `sourceQuery`, `teamId` and `note`; since 2.42 `var.<column>` for a column by which the alert is
   * grouped, since 2.43 `tags`. Other names cause a warning. Default: the service's own template. Answers show the template
   * only if `service` is `generic`: for other kinds, a change by somebody else is not seen.
   */
  body: Type.Optional(Type.String({ minLength: 1, longest: 16_384 })),
  /**
   * HTTP headers of the webhook's request, up to 100. Not if `service` is `slack`. No answer shows them: they are kept
   * encrypted in the Pulumi state, and a change by somebody else is not seen. Headers that the program does not declare stay
   * until `url` or `service` changes; then the service clears them.
   */
  headers: Type.Optional(Type.Record(Type.String(), Type.String(), hiddenTexts)),
  /**
   * Query parameters that are added to the webhook's address, up to 100. Like `headers`, they are kept secret, and cleared when
   * `url` or `service` changes.
   */
  queryParams: Type.Optional(Type.Record(Type.String(), Type.String(), hiddenTexts)),
});

/** Outputs of a webhook beyond its inputs. */
export const webhookOutputs = Type.Object({
  /** When the webhook was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
  /** When the webhook was last changed (ISO 8601). */
  updatedAt: Type.Optional(Type.String({ volatile: true })),
});

type Inputs = Static<typeof webhookInputs>;

export const webhookResource: Resource = resourceOf({
  type: "Webhook",
  noun: "webhook",
  inputs: webhookInputs,
  outputs: webhookOutputs,
  scope: "observability",
  operations: {
    create: "createWebhook",
    list: "listWebhooks",
    update: "updateWebhook",
    delete: "deleteWebhook",
  },
  namedBy: "name",

  failures: (declared, olds) => [
    ...serviceFailures(declared, olds),
    ...addressFailures(declared),
    ...(declared.service === "slack" ? slackFailures(declared) : []),
    ...hiddenFailures(declared),
  ],

  warnings: ({ name, body }) =>
    typeof body === "string"
      ? unknownVariables(body).map((warning) => `Webhook ${quoted(name)}: ${warning}`)
      : [],

  isLike: (live, body) =>
    shows(
      webhookInputs,
      { description: null, body: null, ...body },
      decode(webhookResource, live, body).inputs,
    ),

  // Slack webhooks take none of these, not even empty, so an update request does not repeat those of the webhook's former kind.
  encode: ({ body, ...members }, _settings, current) => {
    if (current && members.service === "slack") {
      const { headers, queryParams, ...others } = members;
      return others;
    }
    return body === undefined ? members : { ...members, body };
  },

  // Answers show the body template only of generic webhooks. For other kinds, the declared template is kept.
  formOf: (live, { body }) => (live.service === "generic" ? live : { ...live, body }),

  completenessField: "url",

  keepsUnknown: true,

  // No server has a route to read a single webhook, so it is read from the list of webhooks, which shows all properties.
  around: {
    // Warns of variables in the body template that are newer than the server: it would accept them, and send nothing in their
    // place.
    async check(usual, olds, news, session) {
      const checked = await usual(olds, news, session);
      const { inputs, failures, warnings } = checked;
      if (
        failures.length > 0 ||
        typeof inputs.body !== "string" ||
        isUnchanged(webhookResource, olds, inputs)
      )
        return checked;
      const newer = newerVariables(inputs.body);
      const version = newer.length > 0 ? await session.serverVersion() : undefined;
      if (version === undefined) return checked;
      const empty = newer
        .filter(({ since }) => isOlder(version, since))
        .map(
          ({ name, since }) =>
            `Webhook ${quoted(inputs.name)}: body names "{{${name}}}", which needs ClickStack ${since} or newer; the server at ${session.settings.obsBaseUrl} has ${version}, and sends nothing in its place`,
        );
      return { ...checked, warnings: [...warnings, ...empty] };
    },
  },
});

/** The failures for kinds of webhooks that only the console can create, or that no update can turn into each other. */
function serviceFailures({ service, adoptId }: Partial<Inputs>, olds?: Partial<Inputs>): Failure[] {
  const exists = olds === undefined ? adoptId !== undefined : olds.service === service;
  return exists || isUnknown(service) || kinds.some((kind) => kind === service)
    ? []
    : [notOneOf("service", service, kinds)];
}

/** The failures for the address of a webhook. Messages never repeat the address, since it is secret. */
function addressFailures({ url }: Partial<Inputs>): Failure[] {
  if (typeof url !== "string" || isUnknown(url)) return [];
  return URL.canParse(url) ? [] : [{ path: "url", message: "must be an address with http or https" }];
}

function slackFailures({ url, body, headers, queryParams }: Partial<Inputs>): Failure[] {
  const isElsewhere =
    typeof url === "string" && URL.canParse(url) && !/(^|\.)slack\.com$/.test(new URL(url).hostname);
  const foreign = Object.entries({ body, headers, queryParams }).filter(([, value]) => value !== undefined);
  return [
    ...(isElsewhere
      ? [{ path: "url", message: 'must be an address of slack.com when service is "slack"' }]
      : []),
    ...foreign.map(([path]) => ({ path, message: 'does not apply when service is "slack"' })),
  ];
}

/** The limits of a webhook's headers and query parameters: length of a name, length of a value, number of entries. */
const longestName = { headers: 256, queryParams: 1024 };
const longestValue = 4096;
const mostTexts = 100;

/** The failures for a webhook's headers and query parameters that no server can send. */
function hiddenFailures(declared: Partial<Inputs>): Failure[] {
  return (["headers", "queryParams"] as const).flatMap((member) => {
    const texts: unknown = declared[member];
    if (!isObject(texts)) return [];
    const failures = Object.entries(texts).flatMap(([name, value]) => {
      const path = joinPath(member, shortened(name));
      if (!isName(member, name))
        return [{ path, message: `is not a valid name, or has more than ${longestName[member]} characters` }];
      if (isUnknown(value) || isPlain(value)) return [];
      return [{ path, message: `must be at most ${longestValue} characters without control characters` }];
    });
    const tooMany = Object.keys(texts).length > mostTexts;
    return tooMany
      ? [{ path: member, message: `must have at most ${mostTexts} entries` }, ...failures.slice(0, 1)]
      : failures;
  });
}

function isName(member: keyof typeof longestName, name: string): boolean {
  if (name.length > longestName[member]) return false;
  return member === "headers"
    ? /^[!#$%&'*+\-.A-Z^_`a-z|~][!#$%&'*+\-.0-9A-Z^_`a-z|~]*$/.test(name)
    : name !== "" && isPlain(name);
}

function isPlain(text: unknown): boolean {
  return typeof text === "string" && text.length <= longestValue && !/\p{Cc}/u.test(text);
}
