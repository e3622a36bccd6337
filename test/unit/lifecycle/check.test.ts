import { expect } from "chai";
import { check } from "../../../provider/lifecycle/lifecycle";
import { unknown } from "../../../provider/lifecycle/unknown";
import { organizationId, serviceId } from "../api/server";
import { noteResource, sessionFor } from "./note";
import { declared } from "./noteInState";

describe("the check", () => {
  const { session } = sessionFor();

  it("lets valid inputs pass as they are", () => {
    expect(check(noteResource(), {}, declared, session)).to.deep.equal({
      inputs: declared,
      problems: [],
      warnings: [],
    });
  });

  it("fills in where the object is, from the settings", () => {
    const given = { title: "Minutes" };
    for (const inputs of [given, { ...given, organizationId: null, serviceId: undefined }]) {
      expect(check(noteResource(), {}, inputs, session).inputs).to.deep.equal({
        ...given,
        organizationId,
        serviceId,
      });
    }
    expect(given).to.deep.equal({ title: "Minutes" });
  });

  it("leaves a declared place alone, an unknown one too", () => {
    const inputs = { title: "Minutes", organizationId: unknown, serviceId: organizationId };
    expect(check(noteResource(), {}, inputs, session)).to.deep.equal({ inputs, problems: [], warnings: [] });
  });

  it("fills in nothing that the resource has no place for", () => {
    const resource = noteResource({ placement: ["organizationId"] });
    expect(check(resource, {}, { title: "a" }, session).inputs).not.to.have.property("serviceId");
  });

  it("says how to set a place that is missing everywhere, once", () => {
    const { problems } = check(
      noteResource(),
      {},
      { title: "a" },
      sessionFor({ organizationId: undefined, serviceId: undefined }).session,
    );
    expect(problems.map(({ path }) => path)).to.deep.equal(["", ""]);
    for (const [index, name] of ["organizationId", "serviceId"].entries()) {
      expect(problems[index]?.message).to.include(
        `setting ${name} is missing; set it with "pulumi config set pipestack:${name} <value>"`,
      );
    }
  });

  it("names everything that is wrong by the schema, and then asks nothing further", () => {
    const resource = noteResource({
      problems: () => {
        throw new Error("asked about wrong inputs");
      },
      warnings: () => ["a warning"],
    });
    const { problems, warnings } = check(
      resource,
      {},
      { ...declared, title: "", size: 99, colour: "red" },
      session,
    );
    expect(problems).to.have.deep.members([
      { path: "title", message: "must be a string that is not empty" },
      { path: "size", message: "must be a whole number from 1 to 20" },
    ]);
    expect(warnings).to.deep.equal([]);
  });

  it("asks the resource about rules over several properties, with the inputs of before where there are any", () => {
    const asked: unknown[] = [];
    const resource = noteResource({
      problems: (inputs, before) => {
        asked.push([inputs.title, before]);
        return [{ path: "size", message: "is too small for this title" }];
      },
      warnings: () => ["a warning"],
    });
    const first = check(resource, {}, declared, session);
    check(resource, { title: "Old" }, declared, session);
    expect(asked).to.deep.equal([
      ["Minutes", undefined],
      ["Minutes", { title: "Old" }],
    ]);
    expect(first.problems).to.deep.equal([{ path: "size", message: "is too small for this title" }]);
    expect(first.warnings).to.deep.equal([]);
  });

  it("warns of what is deprecated and of what the resource finds strange", () => {
    const resource = noteResource({ warnings: ({ title }) => [`${title} is a dull title`] });
    expect(check(resource, {}, { ...declared, colour: "red" }, session).warnings).to.deep.equal([
      "Note: colour is deprecated: use tone.",
      "Minutes is a dull title",
    ]);
    expect(check(noteResource(), {}, declared, session).warnings).to.deep.equal([]);
  });
});
