import { type Correction, measured, upTo } from "./correction";

export const searchCorrections: readonly Correction[] = [
  {
    table: "cloud",
    at: "ClickStackSavedSearchFilter.condition",
    is: { pattern: " (IN|BETWEEN) ?" },
    because: "A condition of another form is refused.",
    seen: measured,
  },
  {
    table: "server",
    at: "SavedSearchInput.filters[]",
    is: {
      anyOf: [
        {
          type: "object",
          required: ["condition"],
          properties: { type: { enum: ["sql", "lucene"] }, condition: upTo(8192) },
        },
        {
          type: "object",
          required: ["type", "operator", "left", "right"],
          properties: {
            type: { enum: ["sql_ast"] },
            operator: { enum: ["=", "<", ">", "!=", "<=", ">="] },
            left: upTo(8192),
            right: upTo(8192),
          },
        },
      ],
    },
    because: "The server takes the filters of its page, too, if the search has them already.",
    seen: measured,
  },
  {
    table: "server",
    at: ["SavedSearchInput.name", "WebhookInput.name"],
    is: { pattern: "\\S" },
    because: "Blanks around a name are cut, and nothing may not be left.",
    seen: measured,
  },
  {
    table: "server",
    at: ["CreateConnectionRequest.hyperdxSettingPrefix", "UpdateConnectionRequest.hyperdxSettingPrefix"],
    is: { pattern: "^[a-zA-Z0-9_]+$" },
    because: "It is the beginning of a setting's name.",
    seen: measured,
  },
];
