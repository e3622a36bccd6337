import { isDeepStrictEqual } from "node:util";
import { type Resource, secretsOf } from "../lifecycle/resource";
import type { Session } from "../lifecycle/session";
import { trackingName } from "../lifecycle/state";
import { pathOf } from "../values/compare";
import type { Data } from "../values/data";
import { printableMessage } from "../values/printable";
import { Type } from "../values/schemaBuilders";
import { isNameAt, type Keys, secretTexts, textsIn } from "../values/secretValues";
import { type Failure, sentenceOf } from "../values/validate";

/** Why a name is refused that a program marks as secret. */
export const mustBePlain = "must not be marked as secret: messages, lists and reports show names";

/** What programs keep secret of one type of resource, in both hosts. */
export class Secrecy {
  readonly #schema;

  constructor(
    private readonly resource: Resource,
    private readonly session: () => Session,
  ) {
    this.#schema = Type.Object({ ...resource.inputs.properties, ...resource.outputs.properties });
  }

  /**
   * Keeps the secret texts of these properties out of every message of this process.
   *
   * @param marked the places that the program keeps secret
   * @returns these and the places that are secret anyway
   */
  conceal(properties: Data, marked: readonly Keys[]): readonly Keys[] {
    const always = secretsOf(this.resource).map((name) => [name]);
    // The check puts the defaults of a dashboard into its tiles.
    const tiles = marked.some(([first]) => first === "defaults") ? [["tiles"]] : [];
    const places = [...marked, ...always, ...tiles];
    for (const text of secretTexts(this.#schema, properties, places)) this.session().secrets.add(text);
    return places;
  }

  /**
   * The members of a state to encrypt beside those that are declared secret: the records, since they contain digests of declared
   * values, and every other member that repeats a secret text. After a change that failed in part, for example, the state of a set
   * still has entries that the program no longer declares, and their secrets stay encrypted by this.
   *
   * @param before the inputs that the state came of, or the state that was read anew
   * @param secrets the secret places of these
   */
  furtherSecrets(state: Data, before: Data, secrets: readonly Keys[]): string[] {
    const { inputs } = this.resource;
    const hasSecret = secrets.some(([name = ""]) => name in inputs.properties && before[name] !== undefined);
    const repeats = (name: string) =>
      textsIn(this.#schema, name, state[name]).some((text) => this.session().secrets.isIn(text));
    return Object.keys(state).filter(
      (name) =>
        (hasSecret && name === trackingName) ||
        (!isDeepStrictEqual(state[name], before[name]) && repeats(name)),
    );
  }

  /** A failure in words, without the value of a property of which a part is secret. */
  sentenceOf(failure: Failure, marked: readonly Keys[]): string {
    const shown = this.isSecret(propertyOf(failure.path), marked) ? { ...failure, hint: "" } : failure;
    return printableMessage(this.session().secrets.hide(sentenceOf(shown)));
  }

  /** Whether a part of a property is secret. */
  isSecret(property: string, marked: readonly Keys[]): boolean {
    return secretsOf(this.resource).includes(property) || marked.some(([name]) => name === property);
  }

  /** The names that a program marks as secret. No message could say what it is about. */
  refusals(marked: readonly Keys[]): Failure[] {
    const names = marked.filter((keys) => isNameAt(this.resource.inputs, keys));
    return names.map((keys) => ({ path: pathOf(keys), message: mustBePlain }));
  }
}

/** The property of a resource that a path leads into. */
export function propertyOf(path: string): string {
  return path.split(/[.[]/)[0] ?? "";
}
