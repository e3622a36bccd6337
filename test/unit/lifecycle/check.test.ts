import { Type } from "@sinclair/typebox";
import { expect } from "chai";
import { SettingsError } from "../../../provider/api/errors";
import type { Settings } from "../../../provider/api/settingsSchema";
import { check, supportedPart, withDefaultName } from "../../../provider/lifecycle/check";
import type { Resource } from "../../../provider/lifecycle/resource";
import { Session } from "../../../provider/lifecycle/session";
import { resources, type TypeName } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { organizationId, serviceId } from "../api/server";
import { validInputs } from "../resources/validInputs";
import { noteInputs, noteResource, sessionFor } from "./note";
import { declared } from "./noteInState";

describe("The check of inputs", () => {
  const checked = (
    inputs: object,
    { of = noteResource() as Resource, olds = {}, settings = {}, isOffline = false } = {},
  ) => {
    const { session } = sessionFor(settings as Partial<Settings>, undefined, isOffline);
    return check(of, olds, inputs as PropertyMap, session);
  };
  const nothing = { failures: [], warnings: [] };
  const placed = { title: "Minutes", organizationId, serviceId };

  const filledIn: [string, object, object][] = [
    ["lets valid inputs pass as they are", declared, declared],
    ["adds the organization and service of the settings", { title: "Minutes" }, placed],
    [
      "leaves a declared organization and service alone, even unknown ones",
      { title: "Minutes", organizationId: unknown, serviceId: organizationId },
      { title: "Minutes", organizationId: unknown, serviceId: organizationId },
    ],
  ];
  for (const [title, given, inputs] of filledIn)
    it(`the check adds only a missing organization and service to valid inputs: it ${title}`, () => {
      const before = { ...given };
      expect(checked(given)).to.deep.equal({ inputs, ...nothing });
      expect(given).to.deep.equal(before);
    });

  describe("The check without credentials", () => {
    const settings = { keySecret: undefined, accessToken: undefined, serviceId: undefined };
    const of = resources.QueryEndpoint;
    const inState = { roles: [], openApiKeys: [], organizationId, serviceId };
    const missing = (olds: object, inputs: object, isOffline = false) =>
      checked(inputs, { of, olds, settings, isOffline }).failures.map(
        ({ message }) => /^settings? (.*?) (is|are) /.exec(message)?.[1],
      );

    it("the check names missing credentials with the other missing settings only before a write", () => {
      expect(missing({}, { roles: [], openApiKeys: [] })).to.deep.equal(["serviceId and keySecret"]);
      expect(missing(inState, { ...inState, roles: ["sql_console_admin"] })).to.deep.equal(["keySecret"]);
      expect(missing(inState, inState)).to.deep.equal([]);
    });

    it("the check for a picture needs no credentials", () => {
      expect(missing({}, inState, true)).to.deep.equal([]);
    });
  });

  it("the check names what is wrong with the other inputs along with a missing one and missing settings", () => {
    const of = resources.Alert;
    const pathsOf = (inputs: object, settings = {}) =>
      checked(inputs, { of, settings }).failures.map(({ path, message }) =>
        `${path} ${message}`.slice(0, 40),
      );
    const { threshold: _, serviceId: __, ...alert } = validInputs.Alert as PropertyMap;
    expect(pathsOf({ ...alert, thresholdMax: 1 }).join("\n"))
      .to.match(/^threshold is required$/m)
      .and.match(/^thresholdMax /m);
    expect(
      pathsOf(
        { ...alert, threshold: 1, thresholdMax: 1 },
        { accessToken: undefined, serviceId: undefined },
      ).join("\n"),
    )
      .to.match(/^ settings? /m)
      .and.match(/^thresholdMax /m);
  });

  it("the check reports an invalid setting as a failure without a property path", () => {
    const resolve = () => {
      throw new SettingsError("setting baseUrl must be an address");
    };
    const session = new Session(resolve, { warn: () => undefined, info: () => undefined });
    const { failures } = check(noteResource() as Resource, {}, { title: "Minutes" }, session);
    expect(failures).to.deep.equal([{ path: "", message: "setting baseUrl must be an address" }]);
  });

  it("the check takes a null that ignoreChanges copies from the state as undeclared", () => {
    const found = { ...declared, size: null, until: null, readers: [{ name: "ann", rights: null }] };
    const { inputs, failures } = checked(found, { olds: found });
    expect(failures).to.deep.equal([]);
    expect(inputs).to.not.have.property("size");
    expect(inputs).to.deep.include({ until: null, readers: [{ name: "ann" }] });
    for (const olds of [{}, declared])
      expect(checked({ ...declared, size: null }, { olds }).failures).to.have.length(1);
  });

  it("the check reports every failure of the schema, and then does not evaluate the rules of the resource", () => {
    const failures = () => {
      throw new Error("asked about wrong inputs");
    };
    const of = noteResource({ failures, warnings: () => ["a warning"] });
    const result = checked({ ...declared, title: "", size: 99, colour: "red" }, { of });
    expect(result.failures).to.have.deep.members([
      { path: "title", message: "must not be empty" },
      { path: "size", message: "must be a whole number from 1 to 20", hint: ", not 99" },
    ]);
    expect(result.warnings).to.deep.equal([]);
  });

  it("the check warns of deprecated properties, and adds the resource's own warnings", () => {
    const of = noteResource({ warnings: ({ title }) => [`${title} is a dull title`] });
    expect(checked({ ...declared, colour: "red" }, { of }).warnings).to.deep.equal([
      "Note: colour is deprecated: use tone.",
      "Minutes is a dull title",
    ]);
  });

  const tileWith = (aggFn: unknown) => ({
    tiles: [{ name: "Errors", x: 0, y: 0, w: 1, h: 1, series: [{ type: "number", aggFn }] }],
  });
  const channel = { channel: { type: "webhok", webhookId: "1" } };
  const near = (path: string, word: string) => [
    `${path} is not known to this version of pipestack; did you mean ${word}?`,
  ];
  const words: [string, TypeName, object, string[]][] = [
    [
      "near a known one, with a warning",
      "Dashboard",
      tileWith("cuont"),
      near('Dashboard: tiles["Errors"].series[0].aggFn', "count"),
    ],
    [
      "near a known one of a channel, with a warning",
      "Alert",
      channel,
      near("Alert: channel.type", "webhook"),
    ],
    ["that is known", "Dashboard", tileWith("p95"), []],
    ["of the future", "Dashboard", tileWith("histogram_of_the_future"), []],
    ["that is not known yet", "Dashboard", tileWith(unknown), []],
  ];
  for (const [what, type, changed, warnings] of words)
    it(`where the API document leaves the set of words open, the check accepts one ${what}`, () => {
      const result = checked({ ...validInputs[type], ...changed }, { of: resources[type] as Resource });
      expect(result).to.deep.include({ failures: [], warnings });
    });

  describe("The check of properties that only one dialect has", () => {
    const inputs = Type.Object({
      ...noteInputs.properties,
      margin: Type.Optional(Type.Number({ dialect: "clickhouse" })),
      sheets: Type.Optional(
        Type.Array(
          Type.Object({
            title: Type.String(),
            watermark: Type.Optional(Type.String({ dialect: "clickhouse" })),
            foot: Type.Optional(
              Type.Object({ font: Type.Optional(Type.String({ droppedBy: "observability" })) }),
            ),
          }),
        ),
      ),
    });
    const of = noteResource({ inputs });
    const needsDialect = "needs the setting dialect to be clickhouse";
    const marked = { sheets: [{ title: "a", watermark: "w" }] };
    const both = { sheets: [{ title: "a", watermark: "w", foot: { font: "f" } }] };

    const cases: [string, object, Partial<Settings>, string[]][] = [
      ["at the top", { margin: 1 }, {}, [`margin ${needsDialect}`]],
      ["in a list", marked, { observabilityVia: "management" }, [`sheets[0].watermark ${needsDialect}`]],
      ["of its own dialect", both, { dialect: "clickhouse", observabilityVia: "management" }, []],
      [
        "that the server would drop",
        both,
        { dialect: "clickhouse", observabilityVia: "observability" },
        [
          "sheets[0].foot.font would be dropped by the server; it needs ClickHouse Cloud, with the setting observabilityVia: management",
        ],
      ],
    ];
    for (const [what, members, settings, expected] of cases)
      it(`the check ${expected.length > 0 ? "refuses a property of another dialect by its path" : "accepts a property"} ${what}`, () => {
        const { failures } = checked({ title: "a", ...members }, { of, settings });
        expect(failures.map(({ path, message }) => `${path} ${message}`)).to.deep.equal(expected);
      });

    it("the import of a live object does not declare properties of another dialect", () => {
      const { session } = sessionFor({ observabilityVia: "management" });
      const further = { deep: null };
      const found = { title: "a", margin: 1, sheets: [{ ...both.sheets[0], further }] };
      expect(supportedPart(inputs, found, session)).to.deep.equal({
        title: "a",
        sheets: [{ title: "a", foot: { font: "f" }, further }],
      });
    });
  });
});

describe("The default name of an object", () => {
  it("the default name of an object is the name of its Pulumi resource, if objects of the type have names", () => {
    const named = { namedBy: "title" };
    for (const args of [{}, { title: undefined }, { title: null }])
      expect(withDefaultName(named, "minutes", args)).to.deep.equal({ title: "minutes" });
    expect(withDefaultName(named, "minutes", { title: "a" })).to.deep.equal({ title: "a" });
    expect(withDefaultName({}, "minutes", { size: 1 })).to.deep.equal({ size: 1 });
  });
});
