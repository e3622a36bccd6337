import { expect } from "chai";
import { check, withDefaultName } from "../../../provider/lifecycle/check";
import { drawnPreview } from "../../../provider/lifecycle/diff";
import { resources } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { organizationId, serviceId } from "../api/server";
import { noteResource, sessionFor } from "./note";
import { declared } from "./noteInState";

describe("the check", () => {
  const { session } = sessionFor();

  it("lets valid inputs pass as they are", () => {
    expect(check(noteResource(), {}, declared, session)).to.deep.equal({
      inputs: declared,
      failures: [],
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
    expect(check(noteResource(), {}, inputs, session)).to.deep.equal({ inputs, failures: [], warnings: [] });
  });

  it("fills in nothing that the resource has no place for", () => {
    const resource = noteResource({ scope: "organization" });
    expect(check(resource, {}, { title: "a" }, session).inputs).not.to.have.property("serviceId");
  });

  it("says how to set a place that is missing everywhere, once", () => {
    const { failures } = check(
      noteResource(),
      {},
      { title: "a" },
      sessionFor({ organizationId: undefined, serviceId: undefined }).session,
    );
    const message =
      'settings organizationId and serviceId are missing; set each with "pulumi config set pipestack:<name> <value>" or the environment variables PIPESTACK_ORGANIZATION_ID and PIPESTACK_SERVICE_ID';
    expect(failures).to.deep.equal([{ path: "", message }]);
  });

  describe("of a resource whose credentials are missing", () => {
    const { session: unsigned } = sessionFor({
      keySecret: undefined,
      accessToken: undefined,
      serviceId: undefined,
    });
    const endpoint = { roles: [], openApiKeys: [] };
    const inState = { ...endpoint, organizationId, serviceId };
    const messages = (olds: object, news: object) =>
      check(resources.QueryEndpoint, olds as Data, news as Data, unsigned).failures.map(
        ({ message }) => message,
      );

    it("names them together with what else is missing, where something is to be written", () => {
      const names = (text = "") => /^settings? (.*?) (is|are) missing/.exec(text)?.[1];
      expect(messages({}, endpoint).map(names)).to.deep.equal(["serviceId and keySecret"]);
      expect(messages(inState, { ...inState, roles: ["sql_console_admin"] }).map(names)).to.deep.equal([
        "keySecret",
      ]);
    });

    it("says nothing where nothing changes, nor for a picture", () => {
      expect(messages(inState, inState)).to.deep.equal([]);
      process.env[drawnPreview] = "true";
      try {
        expect(messages({}, inState)).to.deep.equal([]);
      } finally {
        delete process.env[drawnPreview];
      }
    });
  });

  it("takes what a refresh has found missing for not declared, where the program ignores changes of it", () => {
    const found = { ...declared, size: null, until: null, readers: [{ name: "ann", rights: null }] };
    const { inputs, failures } = check(noteResource(), found, found, session);
    expect(failures).to.deep.equal([]);
    expect(inputs).to.not.have.property("size");
    expect(inputs).to.deep.include({ until: null, readers: [{ name: "ann" }] });
    for (const olds of [{}, declared])
      expect(check(noteResource(), olds, { ...declared, size: null }, session).failures).to.have.length(1);
  });

  it("names everything that is wrong by the schema, and then asks nothing further", () => {
    const resource = noteResource({
      failures: () => {
        throw new Error("asked about wrong inputs");
      },
      warnings: () => ["a warning"],
    });
    const { failures, warnings } = check(
      resource,
      {},
      { ...declared, title: "", size: 99, colour: "red" },
      session,
    );
    expect(failures).to.have.deep.members([
      { path: "title", message: "must be a non-empty string" },
      { path: "size", message: "must be a whole number from 1 to 20", hint: ", not 99" },
    ]);
    expect(warnings).to.deep.equal([]);
  });

  it("asks the resource about rules over several properties, with the inputs in state where there are any", () => {
    const asked: unknown[] = [];
    const resource = noteResource({
      failures: (inputs, olds) => {
        asked.push([inputs.title, olds]);
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
    expect(first.failures).to.deep.equal([{ path: "size", message: "is too small for this title" }]);
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

describe("a default name", () => {
  const named = { namedBy: "title" };

  it("is the name of the resource where the program gives no other", () => {
    for (const args of [{}, { title: undefined }, { title: null }]) {
      expect(withDefaultName(named, "minutes", args)).to.deep.equal({ title: "minutes" });
    }
  });

  it("stands back behind a declared one, and is none where the type has none", () => {
    expect(withDefaultName(named, "minutes", { title: "a" })).to.deep.equal({ title: "a" });
    expect(withDefaultName({}, "minutes", { size: 1 })).to.deep.equal({ size: 1 });
  });
});
