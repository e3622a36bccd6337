import { type PropertyMap, pick } from "../values/data";
import { isUnknown } from "../values/unknown";
import { Owners } from "./owners";
import { perSession, type Session } from "./session";

type Members = readonly string[];

/**
 * The properties of an object that its own resource may declare, such as a `Service`, or another one in its place, such as a
 * `ServiceScaling`. No property may be declared in both.
 */
export class SharedMembers {
  readonly #ownersOf = perSession(() => new Owners<Members, Members>());

  constructor(readonly names: Members) {}

  declaredIn(inputs: PropertyMap): Members {
    return this.names.filter((name) => inputs[name] !== undefined);
  }

  /** Records what the own resource declares while its object is new (`isNew`), and so has no id by which to find it. */
  noteComing(inputs: PropertyMap, isNew: boolean, session: Session): void {
    this.#ownersOf(session).noteComing(this.declaredIn(inputs), isNew);
  }

  /** @returns the properties that the other resource of the program also declares */
  noteOwn(id: string, inputs: PropertyMap, session: Session): Members {
    const own = this.declaredIn(inputs);
    return common(own, this.#ownersOf(session).noteOwn(id, own));
  }

  /** @returns the properties that the own resource also declares, or may declare if the id of the object is unknown */
  noteOther(
    id: unknown,
    inputs: PropertyMap,
    session: Session,
  ): { readonly surely: Members; readonly perhaps: Members } {
    const other = this.declaredIn(inputs);
    const { own, coming } = this.#ownersOf(session).noteOther(isUnknown(id) ? undefined : String(id), other);
    return { surely: common(other, own), perhaps: common(other, coming.flat()) };
  }

  /** Records what the Pulumi state of the own resource shows, which the program may move to the other one. */
  noteFormer(id: string, state: PropertyMap, session: Session): void {
    this.#ownersOf(session).noteFormer(id, pick(state, this.names));
  }

  /** @returns the values of properties that the other resource declares, as the own one has last shown them */
  formerOf(id: string, inputs: PropertyMap, session: Session): PropertyMap {
    return pick(this.#ownersOf(session).formerOf(id), this.declaredIn(inputs));
  }

  /** @returns what the own resource declares, as far as this run has compared it */
  ownOf(id: string, session: Session): Members {
    return this.#ownersOf(session).ownOf(id) ?? [];
  }

  /** @returns what the other resource declares, as far as this run has checked it */
  otherOf(id: string, session: Session): Members {
    return this.#ownersOf(session).otherOf(id) ?? [];
  }
}

const common = (one: Members, other: Members = []) => one.filter((name) => other.includes(name));
