import { expect } from "chai";
import { failureOf } from "../api/failure";
import { refused } from "../api/server";
import { doubtOf, unseen } from "./createFailures";
import { useService } from "./scriptedService";

const adopting = "to take over the alert that exists, declare its id as adoptId, or import it";
const recovering = "if an update that was killed created it, run npx pipestack orphans --recover";
const renaming = "if the program has renamed the resource, give it its former name by the option aliases";
const another = "to create a second one, or to replace it, choose another name";
const duplicate = "BAD_REQUEST: an alert with this name already exists";

describe("Creates that are refused because the name is taken", () => {
  const service = useService();
  const { create, open, addForeign: put, stored, verbs } = service;
  const session = () => open().session;
  /**
   * Lets the service refuse the next create for the given reason. If `isRepeated` is true, the service fails the create once
   * before.
   */
  const refuse = (reason: string, isRepeated = false) => {
    const answers = [...(isRepeated ? [refused(500, "INTERNAL")] : []), refused(400, reason)];
    service.courses = answers.map((answer) => ({ carriedOut: false, answer }));
  };
  let old: string;
  beforeEach(() => {
    put({ name: "Other" });
    put({ name: undefined });
    old = put();
  });

  for (const isRepeated of [false, true])
    it(`a refused create names the object that already has the name${isRepeated ? ", also after a failure," : ""} and the remedies`, async () => {
      refuse(duplicate, isRepeated);
      const { message } = await failureOf(create(session()));
      expect(message).to.match(/^BAD_REQUEST: .* already exists; /);
      expect(message).to.include(
        `; ${adopting}: ${old}; ${recovering}; ${renaming}; ${another} (createAlert: `,
      );
    });

  it("a refused create does not offer to recover an object that differs from the sent one", async () => {
    refuse(duplicate);
    const { message } = await failureOf(create(session(), "Alert", { threshold: 77 }));
    expect(message).to.include(`; ${adopting}: ${old}; ${renaming}; ${another} (createAlert: `);
  });

  it("a refused create of an object without a name lists only the remedies", async () => {
    refuse(duplicate);
    const { message } = await failureOf(create(session(), "Alert", { name: undefined }));
    expect(message).to.include(`; ${adopting}; ${renaming} (createAlert: `);
  });

  it("the error of a create whose name is taken gives only the remedies if no list can be read", async () => {
    service.gateway = (operation) =>
      operation === "createAlert" ? refused(400, duplicate) : refused(403, "FORBIDDEN");
    const { message } = await failureOf(create(session()));
    expect(message).to.include(`; ${adopting}; ${renaming}; ${another} (createAlert: `);
  });

  it("a create that is refused for another reason than a taken name sends no list request", async () => {
    refuse("BAD_REQUEST: the name is too long");
    const { message } = await failureOf(create(session()));
    expect(message).to.match(/^BAD_REQUEST: the name is too long \(createAlert: /);
    expect(verbs()).to.equal("list create");
  });

  for (const [why, reason, changed] of [
    ["no object from before has the name", duplicate, { name: "Former" }],
    [
      "the object with the name differs in another value that is taken",
      `${duplicate}: name, threshold`,
      { threshold: 6 },
    ],
    ["the service does not say which value is taken", "BAD_REQUEST: already exists", {}],
  ] as const)
    it(`a create whose repetition is refused has an unknown outcome unless a former object has the name: ${why}`, async () => {
      Object.assign(stored(old), changed);
      refuse(reason, true);
      expect((await doubtOf(create(session())))[1]).to.equal(unseen);
    });
});
