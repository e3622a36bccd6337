import { expect } from "chai";
import { failureOf } from "../api/failure";
import { refused } from "../api/server";
import { doubtOf, unseen } from "./createFailures";
import { useService } from "./service";

const adopting = "to take over the alert that exists, declare its id as adoptId, or import it";
const recovering = "if an update that was killed created it, run npx pipestack orphans --recover";
const renaming = "if the program has renamed the resource, give it its former name by the option aliases";
const duplicate = "BAD_REQUEST: an alert with this name already exists";

describe("Creates that are refused for a taken name", () => {
  const service = useService();
  const { create, open, addForeign: put, stored, verbs } = service;
  const session = () => open().session;
  /** Refuses the creates that come, the first of them after a failure of the service. */
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
    it(`a refused create names the object that has the name${isRepeated ? " since before, also after a failure" : ""}, and the ways out`, async () => {
      refuse(duplicate, isRepeated);
      const { message } = await failureOf(create(session()));
      expect(message).to.match(/^BAD_REQUEST: .* already exists; /);
      expect(message).to.include(`; ${adopting}: ${old}; ${recovering}; ${renaming} (createAlert: `);
    });

  it("a refused create offers no recovery of an object that differs from what was sent", async () => {
    refuse(duplicate);
    const { message } = await failureOf(create(session(), "Alert", { threshold: 77 }));
    expect(message).to.include(`; ${adopting}: ${old}; ${renaming} (createAlert: `);
  });

  it("a refused create of an object without a name names the ways out alone", async () => {
    refuse(duplicate);
    const { message } = await failureOf(create(session(), "Alert", { name: undefined }));
    expect(message).to.include(`; ${adopting}; ${renaming} (createAlert: `);
  });

  it("a refused create names the ways out alone if no list can be read", async () => {
    service.gateway = (operation) =>
      operation === "createAlert" ? refused(400, duplicate) : refused(403, "FORBIDDEN");
    const { message } = await failureOf(create(session()));
    expect(message).to.include(`; ${adopting}; ${renaming} (createAlert: `);
  });

  it("a create that is refused for another reason shows it as it is, without a look", async () => {
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
    it(`a repeated create stays in doubt if ${why}`, async () => {
      Object.assign(stored(old), changed);
      refuse(reason, true);
      expect((await doubtOf(create(session())))[1]).to.equal(unseen);
    });
});
