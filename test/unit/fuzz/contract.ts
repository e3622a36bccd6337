import { bodyCheck } from "../../../sandbox/core/bodyCheck";
import { Model } from "../../../sandbox/core/model";

const { apis } = new Model({ dialect: "neutral" });
const product = new Model({ dialect: "clickhouse" }).apis;

/**
 * Keywords of JSON Schema that the contract of the API ignores, since newer servers may accept more words, kinds and columns.
 */
const open = ["const", "enum", "pattern", "anyOf", "oneOf", "if", "discriminator", "maximum"];

/** A path segment that servers and gateways interpret in the same way. */
const segment = /^(?!\.{1,2}$)(?:[\w.~!*'()-]|%[0-9A-F]{2})+$/;

/**
 * How the API documents say that a request is served. The sandbox, which follows the documents alone, is the source of this
 * contract.
 */
export interface Served {
  readonly api: "management" | "observability";
  /** Returns the first fault in a request body, or undefined if the body is valid. */
  faultIn(body: unknown): string | undefined;
}

/** Returns the contract of a request, or undefined if no API document has such a request. */
export function served(method: string, url: string): Served | undefined {
  const [path = ""] = url.split("?");
  const api = path.startsWith("/v1/") ? "management" : "observability";
  const request = { method, url, headers: {} };
  const routes = [apis, product].flatMap((served) => served[api].find(request)?.route ?? []);
  const [, ...segments] = path.split("/");
  if (routes.length === 0 || !segments.every((part) => segment.test(part))) return undefined;
  // For some requests only the documents of ClickHouse Cloud and HyperDX, not the neutral one, have a body.
  const schema = routes.find(({ body }) => body !== undefined)?.body;
  return {
    api,
    faultIn(body) {
      if (!schema) return body === undefined ? undefined : "no body expected";
      const { failures = [] } = bodyCheck(schema, false, "neutral")(structuredClone(body)) ?? {};
      // The documents of ClickHouse Cloud and HyperDX also have further properties of tile series.
      const [failure] = failures.filter(
        ({ keyword, instancePath }) =>
          !open.includes(keyword) &&
          !(keyword === "additionalProperties" && /\/series\/\d+$/.test(instancePath)),
      );
      return failure && `${failure.instancePath} ${failure.message} ${JSON.stringify(failure.params)}`;
    },
  };
}
