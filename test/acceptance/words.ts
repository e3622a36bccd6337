import { isObject } from "../../provider/values/data";

/** The paths of what a service contains. */
const contents = /\/services\/[^/]+\/(clickstack|query-api-endpoints|saved-queries)\b/;

/**
 * Translates between the tests and a real server: the tests name objects by the ids of the sandbox and without the run's
 * prefix, the server knows them by its own ids, with the prefix.
 */
export class Words {
  readonly #ids = new Map<string, string>();
  #service: { readonly sample: string; readonly own: string } | undefined;

  constructor(readonly prefix: string) {}

  /** Lets an id of the sandbox stand for an id of the server. */
  let(sample: string, real: string): void {
    this.#ids.set(sample, real);
  }

  /**
   * Lets the sandbox's service stand for one of the run's own in requests about the service itself, while its dashboards and
   * queries stay on the service of the settings: a new one has no data sources.
   */
  letService(sample: string, own: string): void {
    this.#service = { sample, own };
  }

  /**
   * Exchanges the ids of the tests and those of the server in a text, such as a path, a body or an answer. Both ways at once,
   * since a sandbox that is tried as a server has the ids of the tests, too.
   * @param path that of the request
   */
  exchanged(text: string, path: string): string {
    const ids = new Map(this.#ids);
    if (this.#service && !contents.test(path)) ids.set(this.#service.sample, this.#service.own);
    const other = new Map(
      [...ids].flatMap(([sample, real]) => [[real, sample] as const, [sample, real] as const]),
    );
    if (other.size === 0) return text;
    return text.replace(new RegExp([...other.keys()].join("|"), "g"), (id) => other.get(id) ?? id);
  }

  /** Returns the body of a write with the prefix before the name of its object. */
  named(body: unknown): unknown {
    if (!isObject(body) || typeof body.name !== "string" || body.name === "") return body;
    return { ...body, name: `${this.prefix}${body.name}` };
  }

  /** Returns an answer in which the names of the run's objects have no prefix. */
  plain(answer: unknown): unknown {
    if (Array.isArray(answer)) return answer.map((entry) => this.plain(entry));
    if (!isObject(answer)) return answer;
    return Object.fromEntries(
      Object.entries(answer).map(([member, value]) => [
        member,
        member === "name" && typeof value === "string" && value.startsWith(this.prefix)
          ? value.slice(this.prefix.length)
          : this.plain(value),
      ]),
    );
  }
}
