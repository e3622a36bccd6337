/** What the API document says of the requests of a type, written down from it and from nothing of the provider. */

/** Method and path of a request, as a regular expression, and the JSON Schema of its body where it has one. */
export type DocumentedRequest = readonly [line: string, body?: object];

const uuid = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
const organization = `/v1/organizations/${uuid}`;
const service = `${organization}/services/${uuid}`;

/** Parts of paths. */
export const paths = {
  uuid,
  organization,
  service,
  stack: `${service}/stack`,
  observability: "/api/v2",
  /** The id of an object. */
  id: "/(?!\\.{1,2}$)(?:[\\w.~!*'()-]|%[0-9A-F]{2})+",
};

export const text = { type: "string" };
export const number = { type: "number" };

/** An object with these members and no others. */
export const strict = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

export const list = (items: object, further: object = {}) => ({ type: "array", items, ...further });

/** One of these words. */
export const words = (...values: string[]) => ({ enum: values });
