import { isDeepStrictEqual } from "node:util";
import { secretsOf } from "../lifecycle/definition";
import type { Resource } from "../lifecycle/resource";
import type { Session } from "../lifecycle/session";
import { trackingName } from "../lifecycle/state";
import { pathOf } from "../values/compare";
import type { PropertyMap } from "../values/data";
import type { Keys } from "../values/pairing";
import { printableMessage } from "../values/printable";
import { type TSchema, Type } from "../values/schemaBuilders";
import { isNameAt, secretTexts, textsIn } from "../values/secretValues";
import { type Failure, sentenceOf } from "../values/validate";

export const mustBePlain = "must not be marked as secret: messages, lists and reports show names";

/** Knows for one resource type which properties a program keeps secret, for the dynamic provider and the plugin. */
export class SecretTracker {
  #knownSchema?: TSchema;

  constructor(
    private readonly resource: Resource,
    private readonly session: () => Session,
  ) {}

  /** The schema of inputs and outputs together. It takes long, and a process uses few of the types that it serves. */
  get #schema(): TSchema {
    const { inputs, outputs } = this.resource;
    this.#knownSchema ??= Type.Object({ ...inputs.properties, ...outputs.properties });
    return this.#knownSchema;
  }

  /**
   * Hides the secret texts of the given properties in all later messages. Returns the places of all secrets: those in `marked`,
   * and the properties that are always secret.
   */
  conceal(properties: PropertyMap, marked: readonly Keys[]): readonly Keys[] {
    const always = secretsOf(this.resource).map((name) => [name]);
    // The provider's check copies the `defaults` of a dashboard into its tiles, so secret defaults make the tiles secret.
    const tiles = marked.some(([first]) => first === "defaults") ? [["tiles"]] : [];
    const places = [...marked, ...always, ...tiles];
    // Texts in the provider's records need not be hidden in messages: the records hold digests of secrets, and names that
    // messages contain.
    const withTexts = places.filter(([first]) => first !== trackingName);
    for (const text of secretTexts(this.#schema, properties, withTexts)) this.session().secrets.add(text);
    return places;
  }

  /**
   * The properties of a state to encrypt besides the declared secrets: the provider's own records, which contain digests of
   * declared values, and every property that repeats a secret text. After an update that failed in part, the state of an
   * `AlertSet` still has alerts that the program no longer declares, with their secrets.
   */
  furtherSecrets(state: PropertyMap, before: PropertyMap, secrets: readonly Keys[]): string[] {
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

  /** A failure of the check as a sentence, without the property's value if a part of the property is secret. */
  sentenceOf(failure: Failure, marked: readonly Keys[]): string {
    const shown = this.isSecret(propertyOf(failure.path), marked) ? { ...failure, hint: "" } : failure;
    return printableMessage(this.session().secrets.hide(sentenceOf(shown)));
  }

  /** Whether any part of a property is secret. */
  isSecret(property: string, marked: readonly Keys[]): boolean {
    return secretsOf(this.resource).includes(property) || marked.some(([name]) => name === property);
  }

  /** Failures for names that are marked as secret: no message could say which object it is about without the name. */
  refusals(marked: readonly Keys[]): Failure[] {
    const names = marked.filter((keys) => isNameAt(this.resource.inputs, keys));
    return names.map((keys) => ({ path: pathOf(keys), message: mustBePlain }));
  }
}

/** The top-level property of a resource to which a path belongs: `tiles` for `tiles[2].w`. */
export function propertyOf(path: string): string {
  return path.split(/[.[]/)[0] ?? "";
}
