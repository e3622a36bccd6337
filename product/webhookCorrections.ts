import { type Correction, measured } from "./correction";

export const webhookCorrections: readonly Correction[] = [
  {
    table: "server",
    at: ["WebhookInput.headers{}", "WebhookInput.queryParams{}"],
    is: { pattern: "^[^\\u0000-\\u001f\\u007f]*$" },
    because: "A line break in a header is refused.",
    seen: measured,
  },
  {
    table: "server",
    at: "WebhookInput.url",
    is: { pattern: "^https?://" },
    because: "Webhooks are called by HTTP.",
    seen: measured,
  },
  {
    table: "server",
    at: "WebhookInput.titleEmoji",
    is: { type: "boolean" },
    because: "Whether titles of messages begin with an emoji; no document says that requests have it.",
    seen: "release page of @hyperdx/api 2.44",
    since: "2.44",
  },
];
