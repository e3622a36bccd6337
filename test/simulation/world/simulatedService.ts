import type { Answer } from "../../../sandbox/core/answer";
import { ApiError } from "../../../sandbox/core/apiError";
import type { Run } from "../../../sandbox/core/apis/api";
import { shownBefore } from "../../../sandbox/core/faults/writes";
import { Model } from "../../../sandbox/core/model";
import { isWrite } from "../../../sandbox/core/operations";
import type { Change, Collection } from "../../../sandbox/core/records";
import type { ApiName, Request } from "../../../sandbox/core/request";
import { type CollectionName, collectionNames, resources } from "../../../sandbox/core/resources/registry";
import type { Call, Route } from "../../../sandbox/core/routes";
import { judgedRecord } from "../../promises/kinds";
import { type Caller, type Data, Store } from "../../promises/store";
import { Random } from "../random";
import { type Behaviour, rewritesOf } from "./behaviour";
import { furnish } from "./contents";
import { asAnswered, asAsked } from "./habits";
import { HistoricIds } from "./ids";
import { furnishWith, type WorldPart } from "./others";

/** How the simulated service handles a request to which a fault happens. */
export interface Course {
  /** For a fault that makes a read stale: the answer shows the values from this many milliseconds ago. */
  readonly age?: number;
  /** For a fault that makes the simulated service ignore a write: the service answers as if it had carried the write out. */
  readonly isUndone?: true;
  /** What the answer to a write with this fault shows: the old values, or the old values overlaid with the sent ones. */
  readonly shows?: "old" | "sent";
  /** For a fault in which the answer shows another object: whether the service carries out the request. */
  readonly showsOther?: "yes" | "no";
  /** For a create with a fault: the wrong id in its answer. `*` in it stands for the right id. */
  readonly id?: string;
  readonly refusal?: ApiError;
}

interface Dated extends Change {
  readonly at: number;
}

const names = new Map<Collection, CollectionName>(collectionNames.map((name) => [resources[name], name]));

/**
 * Simulates the service: the sandbox's model in virtual time, with the unusual behaviour of a history. It keeps all changes, so
 * that reads can show old values.
 */
export class Service {
  readonly model: Model;
  /** The service's objects and their changes, as `test/promises` judges them. */
  readonly store = new Store();
  readonly issued: string[] = [];
  readonly #changes: Dated[] = [];
  #by: Caller = { actor: "hand", step: -1 };
  #isCascade = false;
  #isUndone = false;
  /** Milliseconds for which reads lack a service that is created now. */
  lagOfServices = 0;
  /** The services that reads may lack, each with the time until which they do. */
  readonly #hiddenUntil = new Map<string, number>();

  constructor(
    seed: number,
    readonly behaviour: Behaviour,
    world: readonly WorldPart[] = [],
    stateMilliseconds?: number,
  ) {
    const { dialect } = behaviour;
    this.model = new Model({
      dialect,
      rewrites: rewritesOf(behaviour),
      keepsRequests: false,
      ...(stateMilliseconds !== undefined && { stateMilliseconds }),
      // Permissions are off in the simulated service: stacks may adopt the API key that signs their requests and change its
      // roles.
      enforcesPermissions: false,
      ids: new HistoricIds(new Random(seed, "ids"), behaviour.timedIds),
    });
    furnish(this.model);
    furnishWith(world, this.model);
    for (const name of collectionNames)
      for (const record of this.model.store[name].values()) this.#note(resources[name], record);
    this.model.store.watch((change) => this.#take(change));
  }

  get now(): number {
    return Date.now() + this.behaviour.skew;
  }

  /**
   * Runs a change by one author. Further changes that the simulated service makes because of it, such as deleted alerts, count
   * as its consequences.
   */
  act<Result>(by: Caller, change: () => Result): Result {
    this.#by = by;
    this.#isCascade = false;
    return change();
  }

  isHidden(serviceId: string): boolean {
    return (this.#hiddenUntil.get(serviceId) ?? 0) > Date.now();
  }

  operationOf(api: ApiName, request: Request): string | undefined {
    const operation = this.model.apis[api].find(request)?.route.operation;
    return operation === "validateDashboard" && !this.behaviour.validates ? undefined : operation;
  }

  answer(by: Caller, api: ApiName, request: Request, course: Course = {}): Answer {
    const { model, behaviour, now } = this;
    const asked = asAsked(request, api, model, behaviour);
    const run: Run = (route, call) => this.act(by, () => this.#run(api, route, call, course));
    return model.handle(api, asked, now, run).answer as Answer;
  }

  #run(api: ApiName, route: Route, call: Call, course: Course): unknown {
    if (course.refusal) throw course.refusal;
    const { operation = "" } = route;
    if (course.showsOther) {
      const result = course.showsOther === "yes" ? this.#carryOut(api, route, call, {}) : undefined;
      return this.#other(api, operation, call, result);
    }
    const result = asAnswered(operation, () => this.#carryOut(api, route, call, course), this.behaviour);
    return course.id === undefined ? result : withId(result as Data, course.id);
  }

  #carryOut(api: ApiName, route: Route, call: Call, { age = 0, isUndone, shows }: Course): unknown {
    const { operation = "" } = route;
    if (!isWrite(operation)) return this.#read(route, call, age);
    const { store, apis } = this.model;
    this.#isUndone = isUndone === true;
    try {
      const { result, before } = store.changing(() => route.run(call as never));
      if (isUndone) store.restore(before);
      const { keySecret } = (result ?? {}) as Data;
      if (typeof keySecret === "string") this.issued.push(keySecret);
      const isLagging = operation.endsWith("Scaling") && this.behaviour.scalingLag > 0;
      if (!shows && !isLagging) return result;
      const read: Run = (of, same) => store.asIn(before, () => of.run(same as never));
      // An answer to a change of a pipe's scaling or state shows the whole pipe.
      const whole = operation.replace(/^updatePipe\w+$/, "updatePipe");
      const old = shownBefore(whole, call, apis[api].routeOf, read);
      if (old === undefined) return result;
      return shows === "sent" ? { ...old, ...(call.body as Data) } : old;
    } finally {
      this.#isUndone = false;
    }
  }

  /**
   * Carries out a read in the simulated service, which may show values from some time ago. A list then lacks newer objects; a
   * read of a single object fails for a newer object only in histories in which single reads lag, too.
   */
  #read(route: Route, call: Call, age: number): unknown {
    const { operation = "" } = route;
    const { listLag, readsLag, scalingLag } = this.behaviour;
    const isOfService = /^(get|list)Service/.test(operation);
    const lags = operation.startsWith("list") || readsLag;
    const lag = isOfService ? scalingLag : lags ? listLag : 0;
    const shown = this.#at(Date.now() - Math.max(age, lag), lags && !isOfService);
    const hidden = [...this.#hiddenUntil.keys()].filter((id) => this.isHidden(id));
    if (operation === "getService" && hidden.includes(call.service.id))
      throw new ApiError(404, "service not found");
    if (hidden.length > 0) shown.set(resources.services, new Map(hidden.map((id) => [id, undefined])));
    return shown.size === 0
      ? route.run(call as never)
      : this.model.store.asIn(shown, () => route.run(call as never));
  }

  /**
   * Returns the objects of the simulated service whose values at a moment differ from their present ones, with their values at
   * that moment.
   */
  #at(moment: number, hidesNew: boolean): Map<Collection, Map<string, { id: string } | undefined>> {
    const shown = new Map<Collection, Map<string, { id: string } | undefined>>();
    for (let index = this.#changes.length - 1; index >= 0; index--) {
      const { at, collection, id, before } = this.#changes[index] as Dated;
      if (at <= moment) break;
      const own = shown.get(collection) ?? new Map<string, { id: string } | undefined>();
      shown.set(collection, own);
      if (before || hidesNew) own.set(id, before);
      else own.delete(id);
    }
    return shown;
  }

  /** Returns another object of the same type as the requested one, for a wrong answer. */
  #other(api: ApiName, operation: string, call: Call, result: unknown): unknown {
    const noun = operation.replace(/^[a-z]+/, "");
    const list = this.model.apis[api].routeOf(`list${noun}${noun.endsWith("ch") ? "es" : "s"}`);
    const isCreate = operation.startsWith("create");
    // An object with the sent content is no candidate for a wrong answer: a client cannot tell it from the object that it
    // created.
    const isTwin = (found: Data) =>
      isCreate &&
      Object.entries(call.body as Data).every(
        ([name, value]) => JSON.stringify(found[name]) === JSON.stringify(value),
      );
    const all = (list?.run({ ...call, query: {} } as never) ?? []) as Data[];
    const id = call.id || (result as Data | undefined)?.id;
    const other = all.find((found) => found.id !== String(id).toLowerCase() && !isTwin(found));
    if (!other) {
      if (result !== undefined) return result;
      throw new ApiError(500, "something went wrong");
    }
    const shown = asAnswered(`get${noun}`, () => other, this.behaviour);
    return isCreate && noun === "Key" ? { key: shown } : shown;
  }

  #take(change: Change): void {
    if (this.#isUndone) return;
    const { collection, id, before, after } = change;
    // The sandbox's model changes its records in place, so the simulated service keeps a copy.
    this.#changes.push({ at: Date.now(), collection, id, before: before && { ...before } });
    this.#note(collection, after, before);
    this.#isCascade = true;
    if (collection === resources.services && !before)
      this.#hiddenUntil.set(id, Date.now() + this.lagOfServices);
  }

  #note(collection: Collection, after?: object, before?: object): void {
    const judged = judgedRecord(names.get(collection) ?? "", after ?? before ?? {});
    if (!judged) return;
    const { kind, record } = judged;
    this.store.write(this.#by, kind, judged.id, after && record, this.#isCascade);
  }
}

function withId(result: Data, form: string): Data {
  const renamed = (object: Data) => ({ ...object, id: form.replace("*", String(object.id)) });
  return result.key === undefined ? renamed(result) : { ...result, key: renamed(result.key as Data) };
}
