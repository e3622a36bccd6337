import { expect } from "chai";
import fc from "fast-check";
import * as pipestack from "../../../provider/index";
import { typeNames as all, resources } from "../../../provider/resources/registry";
import { type FunctionName, validArguments } from "../functions/validArguments";
import { validInputs } from "../resources/validInputs";
import { expectCleanJson, forAll, plainErrorOf } from "./cases";
import type { WireAnswer } from "./judge";
import { useJudged } from "./judged";
import { anyJson, changed, weirdNames } from "./weirdValues";

/** The judge, a server that replaces the API in these tests, has the neutral dialect, which lacks some resource types. */
const typeNames = all.filter((type) => !resources[type].dialect);

const index = { ...pipestack };

type Change = (answer: WireAnswer) => WireAnswer;
type Json = ReturnType<typeof JSON.parse>;

const replaced =
  (body: string | Buffer): Change =>
  (answer) => ({ ...answer, body });

/** Replaces values at some paths of an API's answer, at any depth. */
const otherValues: fc.Arbitrary<Change> = fc
  .tuple(
    fc.array(fc.tuple(fc.nat(), anyJson), { minLength: 1, maxLength: 3 }),
    fc.option(fc.tuple(weirdNames, anyJson)),
  )
  .map(([values, further]) => (answer) => {
    const root = { answer: JSON.parse(String(answer.body)) as Json };
    for (const [number, value] of values) {
      const places = placesIn(root);
      const [holder, key] = places[number % places.length] ?? [root, "answer"];
      holder[key] = structuredClone(value);
    }
    if (further && typeof root.answer === "object" && root.answer !== null)
      root.answer[further[0]] = further[1];
    return { ...answer, body: JSON.stringify(root.answer) ?? "" };
  });

function placesIn(value: Json): [Json, string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).flatMap((key): [Json, string][] => [[value, key], ...placesIn(value[key])]);
}

/** Removes a property of an API's answer, at any depth. */
const withoutMember: fc.Arbitrary<Change> = fc.nat().map((number) => (answer) => {
  const root = { answer: JSON.parse(String(answer.body)) as Json };
  const places = placesIn(root).slice(1);
  const [holder, key] = places[number % places.length] ?? [root, ""];
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
  return { ...answer, body: JSON.stringify(root.answer) };
});

const cut: fc.Arbitrary<Change> = fc
  .tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.boolean())
  .map(([part, breaksOff]) => (answer) => ({
    ...answer,
    breaksOff,
    body: answer.body.slice(0, Math.floor(answer.body.length * part)),
  }));

const statuses = fc.constantFrom(
  ...[200, 201, 202, 204, 206, 301, 302, 304, 400, 401, 402, 403, 404, 405, 409, 410, 415, 418, 422, 431],
  ...[500, 501, 502, 504, 599],
);

const members = [
  "status",
  "requestId",
  "result",
  "data",
  "error",
  "message",
  "errors",
  "detail",
  "title",
  "meta",
];
const bodies = fc
  .oneof(
    anyJson.map((value) => JSON.stringify(value)),
    fc.dictionary(fc.constantFrom(...members), anyJson).map((value) => JSON.stringify(value)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(
      ...["", "{", "nul", "NaN", "undefined", "1e999", "-0", "\ufeff{}", "[object Object]"],
      ...["<html><body><h1>502</h1></body></html>", '{"result":1e999}', '{"data":[1e999]}'],
      '{"result":[{"id":"a"}],"meta":{"total":1e999}}',
    ),
  )
  .filter((body) => typeof body !== "string" || !/undefined|NaN|\[object/.test(body));

const headers = fc.dictionary(
  fc.constantFrom("Content-Type", "Content-Encoding", "X-Request-Id", "Location", "Retry-After", "Link"),
  fc.oneof(
    fc.constantFrom(
      ...["text/html", "gzip", "br", "deflate", "identity", "application/json; charset=utf-16", "0"],
      ...["x".repeat(5000), "file:///etc/passwd", "\u009b31m", "//evil.example"],
    ),
    fc.stringMatching(/^[\x20-\x7e]{0,20}$/),
  ),
  { maxKeys: 2 },
);

const another: fc.Arbitrary<Change> = fc
  .tuple(statuses, bodies, headers)
  .map(([status, body, further]) => (answer) => ({
    status,
    body,
    headers: { ...answer.headers, ...further },
  }));

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: otherValues },
  { weight: 2, arbitrary: withoutMember },
  { weight: 1, arbitrary: cut },
  { weight: 2, arbitrary: another },
  { weight: 1, arbitrary: bodies.map(replaced) },
);

/** Generates changes for some of the API's answers, and the number of unchanged answers before them. */
const changes = fc.tuple(fc.nat({ max: 6 }), fc.array(change, { minLength: 1, maxLength: 3 }));

/** Defines fuzz tests that change the API's answers to every operation. */
export function fuzzAnswers(): void {
  describe("Fuzzed answers of a server", () => {
    const judged = useJudged();

    function changeAnswers([first, changes]: [number, Change[]]): void {
      let count = 0;
      judged.judge.change = (answer) => changes[count++ - first]?.(answer) ?? answer;
    }

    /** Each fuzzed case gets its own organization and service, so that the provider uses no list of an earlier case. */
    let places = 0;
    const freshPlace = () => `7c2d9b40-6e15-4a83-b1f7-${(places++).toString(16).padStart(12, "0")}`;

    for (const type of typeNames) {
      const valid = validInputs[type];
      const { adoptId, ...fresh } = valid;
      forAll(
        `a fuzzed answer in the life of a ${type} leads to a plain error or to clean values`,
        150,
        fc.tuple(changes, fc.boolean(), changed(fresh)),
        async ([changes, adopts, program]) => {
          const { host, laterHost, judge } = judged;
          judge.reset();
          const handlers = host[type] as Required<typeof host.Alert>;
          const later = laterHost[type] as typeof handlers;
          const place = freshPlace();
          const service = "serviceId" in fresh ? { serviceId: place } : {};
          const inputs = { ...fresh, organizationId: place, ...service };
          changeAnswers(changes);
          let state: Record<string, unknown> = inputs;
          let id = adoptId === undefined ? place : String(adoptId);
          await plainErrorOf(async () => {
            const adopted = adopts && adoptId !== undefined ? { adoptId } : {};
            const created = await handlers.create({ ...inputs, ...adopted });
            expectCleanJson(created.outs);
            expect(created.id).to.be.a("string").with.length.above(0);
            ({ id, outs: state } = created as { id: string; outs: typeof state });
          });
          for (let round = 0; round < 2; round++) {
            await plainErrorOf(async () => {
              const live = await handlers.read(id, state);
              if (!live.id) return;
              expectCleanJson([live.props, live.inputs ?? {}]);
              expect((await handlers.diff(id, live.props, inputs)).replaces ?? []).to.be.an("array");
              state = live.props;
            });
          }
          await plainErrorOf(async () => {
            const renamed = { ...inputs, ...("name" in program ? { name: program.name } : {}) };
            const { failures = [], inputs: next } = await handlers.check(state, renamed);
            if (failures.length === 0) expectCleanJson((await handlers.update(id, state, next)).outs);
          });
          await plainErrorOf(() => later.delete(id, state));
          expect(judge.faults.join("\n")).to.equal("");
        },
      );
    }

    const names = Object.keys(validArguments) as FunctionName[];
    forAll(
      "a fuzzed answer to a function leads to a plain error or to clean values",
      1000,
      fc.tuple(fc.constantFrom(...names), changes),
      async ([name, [, changes]]) => {
        const { judge } = judged;
        judge.reset();
        changeAnswers([0, changes]);
        const place = freshPlace();
        const valid = validArguments[name];
        const args = { ...valid, ...("serviceId" in valid ? { serviceId: place } : {}) };
        const error = await plainErrorOf(async () => {
          const result = await (index[name] as (args: object) => Promise<unknown>)(args);
          expectCleanJson(result);
          if (name === "getPipe") expect(JSON.stringify(result)).to.not.include("connection-string-77");
        });
        if (error) expect(error.message).to.match(new RegExp(`^pipestack\\.${name}: `));
        expect(judge.faults.join("\n")).to.equal("");
      },
    );
  });
}
