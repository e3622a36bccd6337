import { expect } from "chai";
import type { PropertyMap } from "../../provider/values/data";
import { selected } from "../seed";
import type { JsonObject } from "../unit/resources/example";
import { comparisonOf } from "./comparison";
import { everyType } from "./everyType";
import type { Managed } from "./managed";
import type { Failing } from "./server";
import { batchesOf, leastOf } from "./variations";

interface Call {
  readonly operation: string;
  /** The position among the update's requests of the same operation, from 1. */
  readonly nth: number;
}

/** What an update does: it adds or removes all that a program can leave out, or changes something. */
const kinds = ["adds", "removes", "changes"] as const;

type Kind = (typeof kinds)[number];

const ways: readonly Failing[] = ["refuses", "breaks off before", "breaks off after"];

/** Messages that name changes as somebody else's, or that doubt whether a change was made. */
const mistaken = /somebody else|still shows|not applied/;

/** An inline alert that loses its name shows that of its chart, as if somebody had set it. */
const derived = /somebody else changed displayName since/;

everyType((own, place) => {
  const { noun, resource, programs, created, record, writes, isValid } = own;
  const { changesIn, comparable } = comparisonOf(own);
  const recordOf = async (managed: Managed) => comparable(await record(managed));

  /** An update, by the programs before and after it. */
  function updateOf(program: JsonObject, kind: Kind): readonly [from: JsonObject, to: JsonObject] {
    if (kind === "changes") {
      const [batch] = batchesOf(program, changesIn(program), isValid);
      return [program, batch?.program ?? program];
    }
    const least = leastOf(resource.inputs, program, isValid);
    return kind === "adds" ? [least, program] : [program, least];
  }

  /** The requests with which an update changes an object, and the object before, after, and once the program has gone back. */
  async function smooth(managed: Managed, from: PropertyMap, to: PropertyMap) {
    const [before, first] = [await recordOf(managed), (await writes()).length];
    await managed.up(to);
    const asked = (await writes()).slice(first).map(({ operation = "" }) => operation);
    const calls = asked.map((operation, at): Call => {
      const nth = asked.slice(0, at + 1).filter((other) => other === operation).length;
      return { operation, nth };
    });
    const after = await recordOf(managed);
    await managed.up(from);
    managed.messages.length = 0;
    return { calls, before, after, back: await recordOf(managed) };
  }

  /** Updates an object while the service fails at one request of the update. Returns the error, if the update fails. */
  async function failing(managed: Managed, to: PropertyMap, { operation, nth }: Call, how: Failing) {
    managed.meetsFailures = true;
    await own.service.fail?.(operation, nth, how);
    const failure = await managed.up(to).then(
      () => undefined,
      ({ message }: Error) => message,
    );
    await own.service.fail?.(operation, nth, undefined);
    return failure;
  }

  /** Expects that an update brings about a program after a failed one, and takes what that has done for nobody else's work. */
  async function expectMended(
    managed: Managed,
    program: PropertyMap,
    where: string,
    truths: readonly PropertyMap[],
  ) {
    await managed.up(program).catch((error: Error) => {
      throw Object.assign(error, { message: `${where}: ${error.message}` });
    });
    const now = await recordOf(managed);
    for (const name of new Set([now, ...truths].flatMap(Object.keys)))
      expect(
        truths.map((truth) => truth[name]),
        `${name} ${where}`,
      ).to.deep.include(now[name]);
    expect(
      managed.messages.filter((text) => mistaken.test(text) && !derived.test(text)),
      where,
    ).to.deep.equal([]);
    expect(await managed.drift(program), where).to.deep.equal([]);
  }

  const tryAll = async (isInSet: boolean) => {
    const updates = programs()
      .filter(({ isHome }) => isHome)
      .flatMap((supported) => kinds.map((kind) => ({ ...supported, kind })));
    let tried = 0;
    for (const { label, program, host, kind } of selected(updates, 3, place)) {
      const [from, to] = updateOf(program, kind);
      // A scaling with a varying number of replicas stays as it is without its mode, but cannot be created so.
      const first = await created(host, from, isInSet).catch((error) => {
        if (own.type !== "ServiceScaling") throw error;
      });
      if (!first) continue;
      const { calls, before, after, back } = await smooth(first, from, to);
      const failures = calls.flatMap((call) => ways.map((how) => ({ call, how })));
      const cases = failures.flatMap((failure) =>
        [true, false].flatMap((goesBack) =>
          [true, false].map((isRefreshed) => ({ ...failure, goesBack, isRefreshed })),
        ),
      );
      for (const { call, how, goesBack, isRefreshed } of selected(cases, 3, tried++)) {
        const managed = await created(host, from, isInSet);
        const failure = await failing(managed, to, call, how);
        // The client has found out by itself that the request was carried out.
        if (failure === undefined) continue;
        if (isRefreshed) await managed.refresh();
        managed.messages.length = 0;
        const where = `${label} in ${host}, an update that ${kind}: the service ${how} ${call.operation} ${call.nth}, ${isRefreshed ? "a refresh follows, " : ""}and the program ${goesBack ? "goes back" : "stays"}`;
        if (goesBack) await expectMended(managed, from, where, [before, back]);
        else await expectMended(managed, to, where, [after]);
      }
    }
  };

  it(`whichever request of an update of ${noun} fails, the next one brings about its program`, () =>
    tryAll(false));

  if (own.type === "Alert")
    it(`whichever request of an update of ${noun} in a set fails, the next one brings about its program`, () =>
      tryAll(true));
});
