import { bodyCheck } from "../../../sandbox/core/bodyCheck";
import { Model } from "../../../sandbox/core/model";

const { apis } = new Model({ dialect: "neutral" });
const product = new Model({ dialect: "clickhouse" }).apis;

/** Keywords of words, kinds and the width of a grid, of which newer servers may have more. */
const open = ["const", "enum", "pattern", "anyOf", "oneOf", "if", "discriminator", "maximum"];

/** A part of a path that servers and gateways read alike. */
const segment = /^(?!\.{1,2}$)(?:[\w.~!*'()-]|%[0-9A-F]{2})+$/;

/** How the sandbox, which is written from the documents alone, serves a request. */
export interface Served {
  readonly api: "management" | "observability";
  /** The first fault in the body; undefined if it has none. */
  faultIn(body: unknown): string | undefined;
}

/** Undefined if no document has such a request. */
export function served(method: string, url: string): Served | undefined {
  const [path = ""] = url.split("?");
  const api = path.startsWith("/v1/") ? "management" : "observability";
  const request = { method, url, headers: {} };
  const routes = [apis, product].flatMap((served) => served[api].find(request)?.route ?? []);
  const [, ...segments] = path.split("/");
  if (routes.length === 0 || !segments.every((part) => segment.test(part))) return undefined;
  // The documents of the product alone have some bodies.
  const schema = routes.find(({ body }) => body !== undefined)?.body;
  return {
    api,
    faultIn(body) {
      if (!schema) return body === undefined ? undefined : "no body expected";
      const { failures = [] } = bodyCheck(schema, false, "neutral")(structuredClone(body)) ?? {};
      // They also have further members of series.
      const [failure] = failures.filter(
        ({ keyword, instancePath }) =>
          !open.includes(keyword) &&
          !(keyword === "additionalProperties" && /\/series\/\d+$/.test(instancePath)),
      );
      return failure && `${failure.instancePath} ${failure.message} ${JSON.stringify(failure.params)}`;
    },
  };
}
