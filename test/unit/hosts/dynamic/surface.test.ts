import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../../provider";
import type { createHost } from "../../../../provider/hosts/dynamic/host";
import type { TypeName } from "../../../../provider/resources/registry";
import { hashData } from "../../resources/apiKey.example";
import { validInputs } from "../../resources/validInputs";

const classes: { readonly [Type in TypeName]: (typeof pipestack)[Type] } = pipestack;
const host: ReturnType<typeof createHost> = require("../../../../provider/host");

/** A registration as the SDK sends it to the engine. */
interface Registration {
  getType(): string;
  getName(): string;
  getObject(): { toJavaScript(): { readonly [name: string]: unknown } };
  getAdditionalsecretoutputsList(): string[];
  getParent(): string;
}

/** The gRPC status of an engine that does not know a call. */
const unimplemented = 12;

/** Stands where the engine stands for a program, and keeps what the program registers. */
class RecordingMonitor {
  readonly registrations: Registration[] = [];

  registerResource(request: Registration, callback: (error: null, response: object) => void): void {
    this.registrations.push(request);
    callback(null, {
      getUrn: () => `urn:pulumi:stack::project::${request.getType()}::${request.getName()}`,
      getId: () => "an-id",
      getObject: () => request.getObject(),
      getPropertydependenciesMap: () => ({ entries: () => [] }),
      getResult: () => 0,
    });
  }

  getDeploymentInfo(_request: object, callback: (error: object) => void): void {
    callback({ code: unimplemented });
  }

  supportsFeature(request: { getId(): string }, callback: (error: null, response: object) => void): void {
    callback(null, { getHassupport: () => request.getId() === "secrets" });
  }
}

/** The SDK asks what an engine supports when it runs a program, by a function that its types do not show. */
const { awaitFeatureSupport } = pulumi.runtime as unknown as { awaitFeatureSupport(): Promise<void> };

/** How a secret looks on its way to the engine. */
const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** The committed schema of the package: what stands in it is frozen. */
const golden: {
  readonly resources: { readonly [token: string]: ResourceSchema };
  readonly functions: { readonly [token: string]: object };
} = JSON.parse(readFileSync(join(__dirname, "../plugin/schema.golden.json"), "utf8"));

interface ResourceSchema {
  readonly requiredInputs: readonly string[];
  readonly required: readonly string[];
  readonly properties: { readonly [name: string]: { readonly secret?: boolean } };
}

const namesOf = (tokens: object) => Object.keys(tokens).map((token) => token.replace("pipestack:index:", ""));
const types = namesOf(golden.resources) as TypeName[];

/** What is expected of each type, by its name. */
function ofEach<Value>(say: (type: TypeName, schema: ResourceSchema) => Value): Record<string, Value> {
  return Object.fromEntries(
    types.map((type) => [type, say(type, golden.resources[`pipestack:index:${type}`] as ResourceSchema)]),
  );
}

/** Each type with the least that a program declares, and what the tests need beside that. */
const programs: { readonly [type: string]: object } = {
  ...ofEach((type, { requiredInputs }) =>
    Object.fromEntries(requiredInputs.map((name) => [name, validInputs[type][name]])),
  ),
  ApiKey: { roles: ["admin"], hashData },
};

describe("The surface of the package", () => {
  it("is the provider, the types and the functions of the committed schema for programs", () => {
    const functions = namesOf(golden.functions).flatMap((name) => [name, `${name}Output`]);
    expect(Object.keys(pipestack)).to.have.members(["Provider", ...types, ...functions]);
  });

  it("is those types for the engine's host, each with all methods", () => {
    expect(Object.keys(host)).to.have.members(types);
    for (const provider of Object.values(host)) {
      expect(Object.keys(provider).sort()).to.deep.equal([
        "check",
        "configure",
        "create",
        "delete",
        "diff",
        "read",
        "update",
      ]);
    }
  });

  describe("as the engine sees it", () => {
    const monitor = new RecordingMonitor();

    before(async () => {
      pulumi.runtime.setMockOptions(monitor, "project", "stack");
      await awaitFeatureSupport();
      const urns = types.map((type) => {
        const options = type === "Alert" ? { additionalSecretOutputs: ["message"] } : {};
        return new classes[type](`my-${type}`, programs[type] as never, options).urn;
      });
      await Promise.all(urns.map((urn) => new Promise<void>((resolve) => void urn.apply(() => resolve()))));
    });

    after(() => pulumi.runtime.resetOptions("", "", -1, "", "", false, ""));

    /** What the registrations say, by the name of the type. */
    function registered<Value>(say: (registration: Registration) => Value): Record<string, Value> {
      const own = monitor.registrations.filter((registration) => registration.getName().startsWith("my-"));
      return Object.fromEntries(
        own.map((registration) => [registration.getName().slice(3), say(registration)]),
      );
    }

    const propertiesOf = (registration: Registration) => registration.getObject().toJavaScript();

    it("is these type tokens", () => {
      expect(registered((registration) => registration.getType())).to.deep.equal(
        ofEach((type) => `pulumi-nodejs:dynamic/pipestack:${type}`),
      );
    });

    it("is these __provider strings, of at most 80 bytes", () => {
      const strings = registered((registration) => propertiesOf(registration).__provider);
      expect(strings).to.deep.equal(
        ofEach((type) => `exports.handler=()=>require("pipestack/host").${type}`),
      );
      for (const text of Object.values(strings)) expect(Buffer.byteLength(String(text))).to.be.at.most(80);
    });

    it("keeps the secrets of the committed schema encrypted, beside those that a program asks for", () => {
      const secrets = ofEach((_type, { properties }) =>
        Object.keys(properties)
          .filter((name) => properties[name]?.secret)
          .sort(),
      );
      const kept = registered((registration) => registration.getAdditionalsecretoutputsList().sort());
      expect(kept).to.deep.equal({ ...secrets, Alert: ["message"] });
    });

    it("keeps the hashes of a key encrypted among its inputs", () => {
      const { ApiKey } = registered(propertiesOf);
      expect(ApiKey?.hashData).to.deep.equal({ ...secret, value: hashData });
      expect(ApiKey?.roles).to.deep.equal(["admin"]);
    });

    it("names an API key after its resource unless the program says otherwise", () => {
      expect(registered(propertiesOf).ApiKey?.name).to.equal("my-ApiKey");
    });

    it("sends nothing for what a program does not declare", () => {
      const names = registered((registration) => Object.keys(propertiesOf(registration)).sort());
      const declared = ofEach((type, { required }) => {
        const byDefault = required.includes("name") ? ["name"] : [];
        const singletons = ["QueryEndpoint", "ServiceScaling"].includes(type) ? ["__declaration"] : [];
        return [
          ...new Set(["__provider", ...singletons, ...byDefault, ...Object.keys(programs[type] ?? {})]),
        ].sort();
      });
      expect(names).to.deep.equal(declared);
    });
  });
});
