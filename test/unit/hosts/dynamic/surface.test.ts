import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../../provider";
import type { createHost } from "../../../../provider/hosts/dynamic/host";
import { offer } from "../../../../provider/hosts/plugin/offer";
import { isNamedByInputs } from "../../../../provider/lifecycle/definition";
import type { Resource } from "../../../../provider/lifecycle/resource";
import { type DeclarableName, declarable } from "../../../../provider/resources/registry";
import { failureOf } from "../../api/failure";
import { hashData } from "../../resources/apiKey.example";
import { organizationId } from "../../resources/example";
import { pipeExample } from "../../resources/pipe.example";
import { serviceExample } from "../../resources/service.example";
import { validInputs } from "../../resources/validInputs";
import { classes } from "./classes";

const host: ReturnType<typeof createHost> = require("../../../../provider/host");

interface Registration {
  getType(): string;
  getName(): string;
  getObject(): { toJavaScript(): { readonly [name: string]: unknown } };
  getAdditionalsecretoutputsList(): string[];
}

/** The gRPC status by which an engine says that it does not support a call. */
const unimplemented = 12;

/** Replaces the engine, and records the resources that a program registers. */
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

/** The function by which Pulumi's SDK asks which features the engine supports, and which the SDK's types do not declare. */
const { awaitFeatureSupport } = pulumi.runtime as unknown as { awaitFeatureSupport(): Promise<void> };

const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

const golden: {
  readonly resources: { readonly [token: string]: ResourceSchema };
  readonly functions: { readonly [token: string]: object };
} = JSON.parse(readFileSync(join(__dirname, "../../../../provider/schema.json"), "utf8"));

interface ResourceSchema {
  readonly requiredInputs: readonly string[];
  readonly required: readonly string[];
  readonly properties: { readonly [name: string]: { readonly secret?: boolean } };
}

const namesOf = (tokens: object) => Object.keys(tokens).map((token) => token.replace("pipestack:index:", ""));
const types = namesOf(golden.resources).filter((type) => !(type in offer.components)) as DeclarableName[];
const schemaOf = (type: DeclarableName) => golden.resources[`pipestack:index:${type}`] as ResourceSchema;

function programOf(type: DeclarableName): { readonly [name: string]: unknown } {
  if (type === "AlertSet") return { alerts: {} };
  if (type === "BackupConfiguration") return { backupPeriodInHours: 24 };
  if (type === "SnapshotConfiguration") return { enabled: true };
  if (type === "ClickStackRole") return { permissions: [] };
  if (type === "Role") return { policies: [] };
  if (type === "Member") return { email: "ann@example.com" };
  if (type === "RoleAssignment") return { roleId: organizationId, apiKeyId: organizationId };
  if (type === "UpgradeWindow") return { weekday: 0, startHourUtc: 6 };
  if (type === "ServiceSettings") return { settings: { async_insert: 1 } };
  if (type === "PrivateEndpoint") return { endpointId: "vpce-0" };
  if (type === "PipeCdcScaling") return { replicaCpuMillicores: 1000 };
  if (type === "Pipe") return pipeExample.programs({} as never)[0];
  if (type === "ReversePrivateEndpoint")
    return { description: "brokers", type: "GCP_PSC_SERVICE_ATTACHMENT", gcpServiceAttachment: "projects/p" };
  if (type === "Service") {
    const { provider, region, ipAccessList } = serviceExample.valid;
    return { provider, region, ipAccessList };
  }
  if (type === "ApiKey") return { roles: ["admin"], hashData };
  return Object.fromEntries(schemaOf(type).requiredInputs.map((name) => [name, validInputs[type][name]]));
}

describe("The exports of the package", () => {
  it("the dynamic host names a type in the state that this version lacks, and what to install", async () => {
    const { Holiday } = host as unknown as { Holiday: { diff(): Promise<never> } };
    const { message } = await failureOf(Holiday.diff());
    expect(message).to.match(
      /^the state has a resource of type Holiday, which pipestack \d\S+ lacks: install the version that wrote/,
    );
  });

  it("the package exports the provider, types and functions of the committed schema", () => {
    const functions = namesOf(golden.functions).flatMap((name) => [name, `${name}Output`]);
    expect(Object.keys(pipestack)).to.have.members([
      "Provider",
      ...types,
      ...Object.keys(offer.components),
      ...functions,
    ]);
  });

  it("the engine's dynamic host can call all methods of each type", () => {
    expect(Object.keys(host)).to.have.members(types);
    for (const provider of Object.values(host))
      expect(provider).to.have.keys("check", "configure", "create", "delete", "diff", "read", "update");
  });

  describe("The registrations that the engine receives", () => {
    const monitor = new RecordingMonitor();

    before(async () => {
      pulumi.runtime.setMockOptions(monitor, "project", "stack");
      await awaitFeatureSupport();
      const urns = types.map((type) => {
        const options = type === "Alert" ? { additionalSecretOutputs: ["message"] } : {};
        return new classes[type](`my-${type}`, programOf(type) as never, options).urn;
      });
      await Promise.all(urns.map((urn) => new Promise<void>((resolve) => void urn.apply(() => resolve()))));
    });
    after(() => pulumi.runtime.resetOptions("", "", -1, "", "", false, ""));

    for (const type of types) {
      const registered = () =>
        monitor.registrations.find((registration) => registration.getName() === `my-${type}`) as Registration;
      const propertiesOf = () => registered().getObject().toJavaScript();

      it(`${type} keeps its type token and its __provider string, of at most 80 bytes`, () => {
        const code = `exports.handler=()=>require("pipestack/host").${type}`;
        expect(registered().getType()).to.equal(`pulumi-nodejs:dynamic/pipestack:${type}`);
        expect(propertiesOf().__provider).to.equal(code);
        expect(Buffer.byteLength(code)).to.be.at.most(80);
      });

      it(`secrets of ${type} in the committed schema stay encrypted, as do those that the program marks`, () => {
        const { properties } = schemaOf(type);
        const secrets = Object.keys(properties).filter((name) => properties[name]?.secret);
        const asked = type === "Alert" ? ["message"] : [];
        expect(registered().getAdditionalsecretoutputsList()).to.have.members([...secrets, ...asked]);
      });

      it(`the engine gets only the declared properties of ${type}, its provider code and its name`, () => {
        const { namedBy = "name" }: Resource = declarable[type];
        const names = [namedBy].filter((name) => schemaOf(type).required.includes(name) || name !== "name");
        const marks = isNamedByInputs(declarable[type]) ? ["__declaration"] : [];
        const expected = new Set(["__provider", ...marks, ...names, ...Object.keys(programOf(type))]);
        expect(Object.keys(propertiesOf())).to.have.members([...expected]);
        if (type !== "ApiKey") return;
        expect(propertiesOf()).to.deep.include({
          name: "my-ApiKey",
          hashData: { ...secret, value: hashData },
        });
      });
    }
  });
});
