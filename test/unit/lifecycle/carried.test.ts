import { expect } from "chai";
import { InvalidIdentifier, LostAnswer, RefusedRequest } from "../../../provider/api/errors";
import type { PropertyMap } from "../../../provider/values/data";
import { live, noteResource, sessionFor } from "./note";
import { place } from "./scriptedService";

describe("Updates that the API refuses because of properties that the program does not declare", () => {
  const title = "Minutes";
  const shown = {
    ...{ title, tone: "dark", frame: { x: 1, y: 2, extra: "by hand" }, pinned: true },
    readers: [
      { name: "Ann", rights: ["read"] },
      { name: "Bob", rights: ["write"] },
    ],
  };
  const declared = { title: "Agenda", frame: { x: 1, y: 2 }, readers: [{ name: "Ann" }, { name: "Bob" }] };
  const site = { operation: "updateAlert", method: "PUT", path: "/alerts/n1", status: 400 };

  /**
   * Updates the test resource `Note` while its service refuses the first request bodies with the given errors. Returns the sent
   * bodies, the warnings and the failure.
   */
  async function updated(
    errors: Error[],
    onConflict: "warn" | "fail" = "warn",
    program: PropertyMap = declared,
    answerTo = (body: PropertyMap) => body,
  ) {
    const bodies: PropertyMap[] = [];
    const { session, warnings } = sessionFor({ onConflict });
    const note = noteResource({
      service: {
        look: async () => live(shown),
        async send(_id, body) {
          bodies.push(body);
          const error = errors.shift();
          if (error) throw error;
          return live(answerTo(body));
        },
      },
    });
    const state = { ...place, ...program, title };
    const failure = await note
      .update("n1", state, { ...place, ...program }, session)
      .then(() => undefined)
      .catch((error: Error) => error);
    return { bodies, warnings, failure };
  }
  const refused = (reason: string, status = 400) => new RefusedRequest({ ...site, status }, reason);

  const { readers, frame, tone, pinned } = shown;
  const [ann] = readers;
  const whole = { title: "Agenda", tone, frame, pinned, readers };
  const cases: [string, reason: string, second: PropertyMap, paths: string][] = [
    [
      "names a list entry by its position",
      "readers.1: has too many rights",
      { ...whole, readers: [ann, { name: "Bob" }] },
      'readers["Bob"].rights',
    ],
    [
      "names a list entry by its name",
      'readers["Bob"].rights: unknown',
      { ...whole, readers: [ann, { name: "Bob" }] },
      'readers["Bob"].rights',
    ],
    [
      "writes paths with brackets and slashes",
      "/readers/0/rights must be a list; readers[1] is too long",
      { ...whole, readers: declared.readers },
      'readers["Ann"].rights, readers["Bob"].rights',
    ],
    [
      "names an object inside the object",
      "frame.x conflicts with another member",
      { ...whole, frame: declared.frame },
      "frame.extra",
    ],
    [
      "names a property of the object",
      "title: not with a tone",
      { title: "Agenda", readers, frame: declared.frame },
      "frame.extra, tone, pinned",
    ],
    [
      "names nothing",
      "the request is not valid",
      declared,
      'frame.extra, readers["Ann"].rights, readers["Bob"].rights, tone, pinned',
    ],
    [
      "gives a reason that was cut short",
      "readers.1: has too many rights; rea…",
      declared,
      'frame.extra, readers["Ann"].rights, readers["Bob"].rights, tone, pinned',
    ],
  ];
  for (const [words, reason, second, paths] of cases)
    it(`an update is repeated without undeclared properties if the service's refusal ${words}`, async () => {
      const { bodies, warnings, failure } = await updated([refused(reason)]);
      expect(failure).to.equal(undefined);
      expect(bodies).to.deep.equal([whole, second]);
      expect(warnings).to.deep.equal([
        `note n1: the update leaves out ${paths}, which the program does not declare: with them, the service refuses the update (${reason})`,
      ]);
    });

  it("with onConflict fail, a refused update is not repeated, and names the undeclared properties", async () => {
    const { bodies, warnings, failure } = await updated([refused("frame: unknown")], "fail");
    expect(bodies).to.deep.equal([whole]);
    expect(warnings).to.deep.equal([]);
    expect(failure?.message).to.include("frame: unknown").and.include("also contained frame.extra, which");
  });

  const final: [string, Error[], PropertyMap?][] = [
    [
      "of a property that only the program has set",
      [refused("readers.1: unknown")],
      { ...declared, readers },
    ],
    ["with the status 409", [refused("readers.1 is in use", 409)]],
    ["of the object's id", [new InvalidIdentifier(site, "Invalid note id")]],
  ];
  for (const [words, errors, program] of final)
    it(`an update fails and is not sent again after a refusal ${words}`, async () => {
      const [error] = errors;
      const { bodies, warnings, failure } = await updated(errors, "warn", program);
      expect(bodies).to.have.length(1);
      expect(failure).to.equal(error);
      expect(warnings).to.deep.equal([]);
    });

  it("an update fails if the service also refuses it without undeclared properties", async () => {
    const second = refused("title: is taken");
    const { bodies, warnings, failure } = await updated([refused("readers.0: unknown"), second]);
    expect(bodies).to.have.length(2);
    expect(failure).to.equal(second);
    expect(warnings).to.deep.equal([]);
  });

  it("an update whose second answer is lost names what it has left out", async () => {
    const lost = new LostAnswer(site, "connection reset");
    const { warnings, failure } = await updated([refused("frame: unknown"), lost]);
    expect(failure).to.have.property("message", lost.message);
    expect(warnings.join()).to.include("the update leaves out frame.extra, which");
  });

  it("an update names the undeclared properties that the service has dropped", async () => {
    const answers: [PropertyMap, string[]][] = [
      [
        { ...whole, frame: { x: 1, y: 2 }, readers: [ann, { name: "Bob" }] },
        ['frame.extra, readers["Bob"].rights'],
      ],
      [whole, []],
    ];
    for (const [answer, paths] of answers) {
      const { warnings } = await updated([], "warn", declared, () => answer);
      const texts = paths.map(
        (path) =>
          `note n1: the service dropped ${path}, which the program does not declare: the API that writes it may not know what somebody has set there`,
      );
      expect(warnings).to.deep.equal(texts);
    }
  });
});
