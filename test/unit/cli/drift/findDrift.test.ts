import { expect } from "chai";
import {
  findDrift,
  isNothingSeen,
  notCompared,
  uncomparedIn,
  undeclaredFindings,
} from "../../../../cli/drift/findDrift";
import type { RefreshStep, StateResource } from "../../../../cli/engine/stack";
import type { PropertyMap } from "../../../../provider/values/data";

const type = "pulumi-nodejs:dynamic/pipestack:Alert";
const urn = `urn:pulumi:dev::test::${type}::errors`;
const resource: StateResource = { urn, type, id: "665f" };
const inputs = {
  __provider: "code",
  name: "Errors",
  threshold: 5,
  channel: { type: "webhook", webhookId: "w1" },
};
const secret = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "[secret]",
};

/**
 * Returns the engine's event about a refresh that has found the given inputs of the alert changed by another client. `secrets`:
 * the secret ones among the properties that the engine names as changed
 */
function refreshed(
  changed: Record<string, unknown>,
  op = "update",
  before: object = {},
  secrets: readonly string[] = [],
): RefreshStep {
  const old = { ...inputs, ...before };
  const diffs = [...Object.keys(changed), ...secrets];
  return { op, urn, diffs, old: { inputs: old }, new: { inputs: { ...old, ...changed } } };
}

const found = { urn, type: "Alert", name: "errors", id: "665f", url: null };

function propertiesOf(step: RefreshStep, state: StateResource = resource) {
  return findDrift([state], [step]).drift.map(({ property }) => property);
}

describe("The comparison of a state with a refresh", () => {
  it("pipestack drift says that it compared nothing only if the refresh warned about every type", () => {
    const webhook = { ...resource, type: type.replace("Alert", "Webhook") };
    const warning = (name: string) => `pipestack: no route [uncompared noRoute ${name}]`;
    expect(isNothingSeen([resource], [warning("Alert")])).to.equal(true);
    expect(isNothingSeen([resource, webhook], [warning("Alert"), warning("Webhook")])).to.equal(true);
    const gone = "pipestack: Webhook w1: gone";
    expect(isNothingSeen([resource, webhook], [warning("Alert"), gone])).to.equal(false);
    expect(isNothingSeen([resource], [])).to.equal(false);
    expect(isNothingSeen([{ ...resource, external: true }], [warning("Alert")])).to.equal(false);
  });

  const passedOver = (id: string) => `pipestack: not shown yet [uncompared new Alert ${id}]`;

  it("pipestack drift names each resource that a refresh skipped", () => {
    expect(uncomparedIn([resource], [passedOver("665f")])).to.deep.equal([
      { urn, type: "Alert", name: "errors", id: "665f", reason: "new" },
    ]);
    const idle = "pipestack: idle [uncompared notRunning Alert 665f]";
    expect(uncomparedIn([resource], [idle]).map(({ reason }) => reason)).to.deep.equal(["notRunning"]);
    expect(uncomparedIn([resource], [passedOver("665f0")])).to.deep.equal([]);
  });

  it("pipestack drift says that it compared nothing only if the refresh skipped every resource", () => {
    expect(isNothingSeen([resource], [passedOver("665f")])).to.equal(true);
    const other = { ...resource, id: "7", urn: `${urn}-2` };
    expect(isNothingSeen([resource, other], [passedOver("665f")])).to.equal(false);
  });

  it("pipestack drift names each entry of an AlertSet that a refresh skipped", () => {
    const set = {
      ...{ ...resource, type: "pipestack:index:AlertSet", urn: "urn:pulumi:dev::test::x::all", id: "s" },
      ...{ inputs: { alerts: { rows: { name: "Rows" } } }, outputs: { ids: { rows: "8" } } },
    };
    expect(uncomparedIn([set], [passedOver("8")]).map(({ name }) => name)).to.deep.equal(['all["rows"]']);
  });

  it("pipestack drift reports a drifted property with its object for the states of both hosts", () => {
    const step = refreshed({ channel: { type: "webhook", webhookId: "w2" } });
    const label = "channel.webhookId";
    for (const token of [type, "pipestack:index:Alert"])
      expect(findDrift([{ ...resource, type: token }], [step]).drift).to.deep.equal([
        { ...found, kind: "changed", property: label, label, declared: "w1", found: "w2" },
      ]);
  });

  it("pipestack drift reports the URL of a drifted object only if it is the valid address of a page", () => {
    const urlIn = (url: unknown, of = "Alert") => {
      const step = refreshed({ name: "Other" });
      const state = { ...resource, type: type.replace("Alert", of) };
      return findDrift([state], [{ ...step, new: { ...step.new, outputs: { url } } }]).drift[0]?.url;
    };
    expect(urlIn("https://x.example.com/search/s1")).to.equal("https://x.example.com/search/s1");
    expect(urlIn('https://x.example.com/">')).to.equal("https://x.example.com/%22%3E");
    for (const odd of ["javascript:alert(1)", "https://", "[secret]", secret, undefined])
      expect(urlIn(odd), String(odd)).to.equal(null);
    expect(urlIn("https://x.example.com/run", "QueryApiEndpoint"), "an address of an API").to.equal(null);
  });

  const [office, home] = [{ source: "203.0.113.0/24", description: "office" }, { source: "198.51.100.7" }];
  const [foreign, changed] = [{ source: "0.0.0.0/0" }, { source: "203.0.113.9/24", description: "lab" }];
  const [manage, view, remove] = ["manage", "view", "delete"].map((word) => `control-plane:service:${word}`);
  const policy = { allowDeny: "ALLOW", permissions: [manage, view], resources: ["instance/*"] };
  const denial = { ...policy, allowDeny: "DENY" };
  const errors = { name: "Errors", x: 0, y: 0, w: 12, h: 4 };
  const rows = { ...errors, name: "Rows" };
  const added = { ...rows, name: "By hand" };
  const [argument, other] = [
    { name: "id", type: "UInt8" },
    { name: "text", type: "String" },
  ];
  const hash = (keySecretHash: string) => ({ keyIdHash: "i", keyIdSuffix: "s", keySecretHash });
  type Row = readonly [property: string, label: string, declared: unknown, found: unknown];
  const changes: { readonly [what: string]: readonly [of: string, before: object, now: object, ...Row[]] } = {
    "a property that is new or gone, with null in its place": [
      ...(["Alert", { name: "Errors" }, { message: "new" }] as const),
      ["name", "name", "Errors", null],
      ["message", "message", null, "new"],
    ],
    "nothing for a value that has the declared meaning in another form": [
      ...(["Alert", { threshold: 5 }, { threshold: "5" }] as const),
    ],
    "nothing for other provider code, and for outputs that inputs repeat": [
      ...(["Alert", { __provider: "code" }, { __provider: "other", tileIds: { Errors: "t1" } }] as const),
    ],
    "each entry that a list has gained or lost, and each member of an entry that has changed": [
      "Service",
      { ipAccessList: [office, home], tags: [{ key: "team", value: "a" }] },
      { ipAccessList: [foreign, changed], tags: [{ key: "team", value: "b" }] },
      ["ipAccessList[0].description", 'ipAccessList["203.0.113.0/24"].description', "office", "lab"],
      ["ipAccessList[1]", 'ipAccessList["198.51.100.7"]', home, null],
      ["ipAccessList[0]", 'ipAccessList["0.0.0.0/0"]', null, foreign],
      ["tags[0].value", 'tags["team"].value', "a", "b"],
    ],
    "a policy by its effect and its resources, and each permission that it has gained or lost": [
      "Role",
      { policies: [policy] },
      { policies: [denial, { ...policy, permissions: [remove, manage] }] },
      ["policies[0].permissions[1]", 'policies["ALLOW instance/*"].permissions', view, null],
      ["policies[0].permissions[0]", 'policies["ALLOW instance/*"].permissions', null, remove],
      ["policies[0]", 'policies["DENY instance/*"]', null, denial],
    ],
    "nothing for a list in another order, or with addresses in another form": [
      "Service",
      { ipAccessList: [{ source: "2001:DB8::1" }, { source: "10.0.0.1", description: "" }] },
      { ipAccessList: [{ source: "10.0.0.1/32" }, { source: "2001:db8:0::1" }] },
    ],
    "a tile that somebody has added": [
      ...(["Dashboard", { tiles: [errors, rows] }, { tiles: [errors, rows, added] }] as const),
      ["tiles[2]", 'tiles["By hand"]', null, added],
    ],
    "a tile that somebody has removed, beside one that is narrower": [
      ...(["Dashboard", { tiles: [errors, rows] }, { tiles: [{ ...rows, w: 6 }] }] as const),
      ["tiles[0]", 'tiles["Errors"]', errors, null],
      ["tiles[1].w", 'tiles["Rows"].w', 12, 6],
    ],
    "a tile that somebody has removed beside one that somebody has added": [
      ...(["Dashboard", { tiles: [errors, rows] }, { tiles: [rows, added] }] as const),
      ["tiles[0]", 'tiles["Errors"]', errors, null],
      ["tiles[1]", 'tiles["By hand"]', null, added],
    ],
    "a list with names whose order alone has changed": [
      ...(["Udf", { arguments: [argument, other] }, { arguments: [other, argument] }] as const),
      ["arguments", "arguments", [argument, other], [other, argument]],
    ],
    "a tile with another name at the same position as renamed": [
      ...(["Dashboard", { tiles: [errors, rows] }, { tiles: [errors, { ...rows, name: "Lines" }] }] as const),
      ["tiles[1].name", 'tiles["Rows"].name', "Rows", "Lines"],
    ],
    "a secret by the schema without its value, even if the state has it in plain text": [
      ...(["ApiKey", { hashData: hash("one") }, { hashData: hash("two") }] as const),
      ["hashData.keySecretHash", "hashData.keySecretHash", "[secret]", "[secret]"],
    ],
  };
  for (const [what, [of, before, now, ...expected]] of Object.entries(changes))
    it(`pipestack drift names ${what}`, () => {
      const state = { ...resource, type: type.replace("Alert", of) };
      const step = { op: "update", urn, old: { inputs: { ...before } }, new: { inputs: { ...now } } };
      const found = findDrift([state], [step]).drift.map(({ property, label, declared, found }) => [
        ...[property, label, declared, found],
      ]);
      expect(found).to.have.deep.ordered.members(expected);
    });

  it("pipestack drift finds in the outputs of the refresh what the program does not declare", () => {
    const state = (of: string) => ({ ...resource, type: type.replace("Alert", of), urn: `${urn}-${of}` });
    const states = ["Service", "QueryEndpoint", "Pipe", "Alert"].map(state);
    const outputs = { otherAddresses: ["192.0.2.9", "::/0"], otherKeys: ["k"], status: "Paused" };
    const stepsWith = (outputs: PropertyMap) =>
      states.map(({ urn }) => ({ op: "same", urn, old: { inputs: {} }, new: { inputs: {}, outputs } }));
    expect(undeclaredFindings(states, stepsWith(outputs)).map(({ finding }) => finding)).to.deep.equal([
      "2 addresses that no program declares: ::/0, 192.0.2.9",
      "1 key that no program declares: k",
      "it is Paused, and the program declares no state",
    ]);
    const declaring = states.map((each) => ({ ...each, inputs: { state: "stopped" } }));
    expect(undeclaredFindings(declaring, stepsWith({ status: "Paused" }))).to.deep.equal([]);
    const quiet = { otherAddresses: [], otherKeys: secret, status: "Running" };
    expect(undeclaredFindings(states, stepsWith(quiet))).to.deep.equal([]);
  });

  it("a deleted resource is reported as one line of drift", () => {
    const { drift } = findDrift([resource], [{ op: "delete", urn, old: { inputs } }]);
    const none = { property: null, label: null, declared: null, found: null };
    expect(drift).to.deep.equal([{ ...found, kind: "deleted", ...none }]);
  });

  it("pipestack drift compares only resources of this provider that the program manages", () => {
    const bucket = { urn: "urn:pulumi:dev::test::aws:s3/bucket:Bucket::b", type: "aws:s3/bucket:Bucket" };
    const resources = [bucket, { ...resource, external: true }, { ...resource, delete: true }];
    expect(findDrift(resources, [])).to.deep.equal({ drift: [], resources: 0 });
  });

  it("pipestack drift does not compare a resource that another one replaces", () => {
    const replaced: RefreshStep = { op: "delete", urn, old: { inputs, delete: true } };
    expect(findDrift([resource], [replaced, refreshed({}, "same")]).drift).to.deep.equal([]);
  });

  it("pipestack drift fails if the engine has not refreshed a resource", () => {
    expect(() => findDrift([resource], [])).to.throw(/the refresh skipped urn:.*::errors/);
  });

  describe("secrets in the comparison of a state with a refresh", () => {
    it("pipestack drift names that one of two secrets which the engine names as changed", () => {
      const step = refreshed({}, "update", { name: secret, message: secret }, ["message"]);
      expect(propertiesOf(step)).to.deep.equal(["message"]);
    });

    it("pipestack drift names a changed secret beside a property whose changes the program ignores", () => {
      const step = refreshed({ threshold: 6 }, "update", { name: secret }, ["name"]);
      expect(propertiesOf(step, { ...resource, ignoreChanges: ["threshold"] })).to.deep.equal(["name"]);
    });

    it("pipestack drift names a changed secret beside every other property that has changed", () => {
      const step = refreshed({ threshold: 6 }, "update", { name: secret }, ["name"]);
      expect(propertiesOf(step)).to.have.members(["threshold", "name"]);
    });

    it("pipestack drift names no secret of an input that only repeats an output", () => {
      const step = refreshed({}, "update", { url: secret }, ["url"]);
      expect(propertiesOf(step)).to.deep.equal([]);
    });

    it("a secret property is no drift if the engine found no change of it", () => {
      expect(propertiesOf(refreshed({}, "same", { name: secret }))).to.deep.equal([]);
    });

    it("a secret property whose changes the program ignores is no drift", () => {
      const ignoring = { ...resource, ignoreChanges: ["name"] };
      const step = refreshed({}, "update", { name: secret }, ["name"]);
      expect(propertiesOf(step, ignoring)).to.deep.equal([]);
    });

    it("pipestack drift names no secret property that the service's answers never show", () => {
      const webhook = "pipestack:index:Webhook";
      const webhookUrn = `urn:pulumi:dev::test::${webhook}::w`;
      const before = { name: "w", url: secret, headers: secret };
      const step = {
        ...{ op: "update", urn: webhookUrn, diffs: ["url", "headers"] },
        ...{ old: { inputs: before }, new: { inputs: before } },
      };
      const found = (...ignoreChanges: string[]) =>
        propertiesOf(step, { urn: webhookUrn, type: webhook, ignoreChanges });
      expect(found()).to.deep.equal(["url"]);
      expect(found("url")).to.deep.equal([]);
    });

    const imported = { ...resource, outputs: { __tracking: { standIns: ["name"] } } };

    it("secrets of an imported resource do not count as changed", () => {
      const step = refreshed({}, "update", { name: secret }, ["name"]);
      expect(propertiesOf(step, imported)).to.deep.equal([]);
      const both = { name: secret, message: secret };
      const other = refreshed({ threshold: 6 }, "update", both, ["name", "message"]);
      expect(propertiesOf(other, imported)).to.have.members(["threshold", "message"]);
    });

    it("pipestack drift names the secrets of an imported resource as not compared", () => {
      const [note] = notCompared([imported]);
      expect(note).to.match(/^not compared: name of Alert errors, since .*"pulumi up"/);
      expect(notCompared([resource, { ...imported, delete: true }])).to.deep.equal([]);
    });
  });

  describe("the option ignoreChanges in pipestack drift", () => {
    const step = refreshed({ threshold: 9, channel: { type: "email", webhookId: "w2" } });
    for (const [ignored, left] of [
      [["threshold"], ["channel.type", "channel.webhookId"]],
      [["channel"], ["threshold"]],
      [["channel.type"], ["threshold", "channel.webhookId"]],
      [['channel["type"]'], ["threshold", "channel.webhookId"]],
      [["channel.*"], ["threshold"]],
      [["*"], []],
      [["channel[*]"], ["threshold"]],
      [
        ["thresh", "", "channel[", "channel[type]"],
        ["threshold", "channel.type", "channel.webhookId"],
      ],
    ] as const) {
      it(`with ignoreChanges ${ignored}, drift is ${left.join(", ") || "nothing"}`, () => {
        const state = { ...resource, ignoreChanges: [...ignored] };
        expect(propertiesOf(step, state)).to.have.members([...left]);
      });
    }
  });
});
