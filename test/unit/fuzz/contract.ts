import { bodyCheck } from "../../../sandbox/core/bodyCheck";
import { Model } from "../../../sandbox/core/model";

const { apis } = new Model({ dialect: "neutral" });
const product = new Model({ dialect: "clickhouse" }).apis;

/**
 * Keywords of JSON Schema by which these tests do not judge requests, since newer servers may accept more words, kinds and
 * columns.
 */
const open = ["const", "enum", "pattern", "anyOf", "oneOf", "if", "discriminator", "maximum"];

/** Matches a path segment that servers and gateways interpret in the same manner. */
const segment = /^(?!\.{1,2}$)(?:[\w.~!*'()-]|%[0-9A-F]{2})+$/;

/**
 * What the API documents say about a request: which API serves it, and what is wrong with a body. The fuzz tests take both from
 * the sandbox, which follows the documents alone.
 */
export interface Served {
  readonly api: "management" | "observability";
  faultIn(body: unknown): string | undefined;
}

/** Finds a request in the API documents; undefined if no document has it. */
export function served(method: string, url: string): Served | undefined {
  const [path = ""] = url.split("?");
  const api = path.startsWith("/v1/") ? "management" : "observability";
  const request = { method, url, headers: {} };
  const routes = [apis, product].flatMap((served) => served[api].find(request)?.route ?? []);
  const [, ...segments] = path.split("/");
  if (routes.length === 0 || !segments.every((part) => segment.test(part))) return undefined;
  // Only the documents of ClickHouse Cloud and HyperDX, and not the neutral one, describe the bodies of some requests, so the
  // test searches all of them.
  const schema = routes.find(({ body }) => body !== undefined)?.body;
  return {
    api,
    faultIn(body) {
      if (!schema) return body === undefined ? undefined : "no body expected";
      const { failures = [] } = bodyCheck(schema, false, "neutral")(structuredClone(body)) ?? {};
      // The documents of ClickHouse Cloud and HyperDX have more properties of tile series than the neutral one, so the tests
      // allow unknown ones there.
      const [failure] = failures.filter(
        ({ keyword, instancePath }) =>
          !open.includes(keyword) &&
          !(keyword === "additionalProperties" && /\/series\/\d+$/.test(instancePath)),
      );
      return failure && `${failure.instancePath} ${failure.message} ${JSON.stringify(failure.params)}`;
    },
  };
}
