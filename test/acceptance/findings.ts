import Ajv, { type ErrorObject, type ValidateFunction } from "ajv/dist/2019";
import addFormats from "ajv-formats";
import { answerOf, operationAt, type Schema, type TableName, tableOf } from "../../product/read";
import type { Documented } from "./documented";

/** A proposal for a correction of an API document: where the server's answers differ from it, and how. No value of the account. */
export interface Proposal {
  readonly table: TableName;
  readonly at: string;
  readonly is?: Schema;
  readonly frees?: readonly string[];
  readonly because: string;
}

/** Judges the answers of a real server by the API documents, and collects what differs. */
export class Findings {
  /** The number of answers that were compared with the documents. */
  judged = 0;
  readonly #proposals = new Map<string, Proposal>();
  readonly #ajv = addFormats(
    new Ajv({ strict: false, validateSchema: false, allErrors: true, verbose: true }),
  );
  readonly #checks = new Map<string, ValidateFunction>();

  constructor(private readonly version: string | undefined) {}

  judge({ table, request }: Documented, status: number, answer: unknown): void {
    if (status < 200 || status > 299 || request.startsWith("DELETE ")) return;
    const operation = operationAt(table, request, { version: this.version });
    const code = Object.keys(operation.answers)[0] ?? "200";
    if (!operation.answers[code]) return;
    this.judged++;
    // Only the table's own words count as facts about the envelope, of which ClickHouse Cloud's answers have two members more.
    const { status: _, requestId, ...content } = Object(answer);
    const check = this.#check(table, request);
    if (check(table === "cloud" ? content : answer)) return;
    const start = { table, place: `${request} answers.${code}`, schema: operation.answers[code] };
    for (const error of deepest(check.errors ?? [])) this.#propose(error, this.#placeOf(start, error));
  }

  get proposals(): Proposal[] {
    return [...this.#proposals.values()];
  }

  #check(table: TableName, request: string): ValidateFunction {
    const key = `${table} ${request}`;
    const check =
      this.#checks.get(key) ??
      this.#ajv.compile(answerOf(table, request, { version: this.version, closed: true }));
    this.#checks.set(key, check);
    return check;
  }

  /** Finds the place of an error in the table, in the form of the corrections: the nearest named schema, then properties. */
  #placeOf({ table, place, schema }: Place, { instancePath }: ErrorObject): Place {
    const keys = instancePath.split("/").slice(1);
    return keys.reduce<Place>((at, key) => this.#within(this.#named(at), key), { table, place, schema });
  }

  /** Follows a reference to the named schema, at which the place begins anew. */
  #named(at: Place): Place {
    const [, other = "", name = ""] = /^(\w*)#\/schemas\/(\w+)$/.exec(at.schema.$ref ?? "") ?? [];
    if (!name) return at;
    const table = (other || at.table) as TableName;
    const schema = tableOf(table, { version: this.version }).schemas[name];
    return schema ? this.#named({ table, place: name, schema }) : at;
  }

  #within(at: Place, key: string): Place {
    if (/^\d+$/.test(key) && at.schema.items)
      return { ...at, place: `${at.place}[]`, schema: at.schema.items };
    const own = at.schema.properties?.[key];
    if (own) return { ...at, place: `${at.place}.${key}`, schema: own };
    const parts = [at.schema.allOf, at.schema.anyOf, at.schema.oneOf].flatMap((some) => some ?? []);
    for (const part of parts) {
      const named = this.#named({ ...at, schema: part });
      const inner = /^\d+$/.test(key) ? named.schema.items : named.schema.properties?.[key];
      if (inner) return this.#within(named, key);
    }
    const further = at.schema.additionalProperties;
    const schema = typeof further === "object" ? (further as Schema) : {};
    return { ...at, place: `${at.place}{}`, schema };
  }

  #propose(error: ErrorObject, found: Place): void {
    const { table, place } = this.#named(found);
    const proposal = proposed(error, table, place);
    this.#proposals.set(JSON.stringify({ ...proposal, because: undefined }), proposal);
  }
}

interface Place {
  readonly table: TableName;
  readonly place: string;
  readonly schema: Schema;
}

/** Keeps the errors that say what differs; those of an alternative that the answer does not mean only say that it differs. */
function deepest(errors: readonly ErrorObject[]): ErrorObject[] {
  const choices = errors.filter(({ keyword }) => keyword === "oneOf" || keyword === "anyOf");
  const isInChoice = ({ schemaPath }: ErrorObject) => /\/(oneOf|anyOf)\/\d+\//.test(schemaPath);
  const outside = errors.filter((error) => !isInChoice(error) && !choices.includes(error));
  return [...outside, ...choices.filter((choice) => !isInChoice(choice))].filter(
    ({ keyword }) => keyword !== "if",
  );
}

function proposed({ keyword, params, data, schema }: ErrorObject, table: TableName, at: string): Proposal {
  const more = params.unevaluatedProperty ?? params.additionalProperty;
  if (more !== undefined) {
    const value = Object(data)[more];
    return { table, at: `${at}.${more}`, is: { type: typeOf(value) }, because: "The server answers it." };
  }
  if (keyword === "required")
    return { table, at, frees: [params.missingProperty], because: "Answers of the server lack it." };
  if (keyword === "type")
    return {
      table,
      at,
      is: { type: [...new Set([schema, typeOf(data)].flat())] as string[] },
      because: `The server answers ${typeOf(data)}.`,
    };
  if (keyword === "enum" || keyword === "const") {
    const words = keyword === "enum" ? (schema as unknown[]) : [schema];
    // A closed word is the product's and not the account's; anything longer is not shown.
    const word = typeof data === "string" && /^\w{1,40}$/.test(data) ? [data] : [];
    return { table, at, is: { enum: [...words, ...word] }, because: "The server answers a further word." };
  }
  return {
    table,
    at,
    is: { [keyword]: undefined },
    because: `The answer of the server does not fulfil ${keyword} ${JSON.stringify(params)}.`,
  };
}

const typeOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

/** Writes proposals as code for the corrections in the folder `product`, with where they were seen. */
export function asCorrections(proposals: readonly Proposal[], seen: string): string {
  return proposals
    .map((proposal) => {
      const { is, ...rest } = proposal;
      const keywords = is && Object.entries(is).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
      const members = [
        ...Object.entries(rest).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
        ...(keywords ? [`is: { ${keywords.join(", ")} }`] : []),
        `seen: ${JSON.stringify(seen)}`,
      ];
      return `{ ${members.join(", ")} },`;
    })
    .join("\n");
}
