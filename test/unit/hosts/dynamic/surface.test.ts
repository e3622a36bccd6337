import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../../provider";
import type { createHost } from "../../../../provider/hosts/dynamic/host";
import { hashData } from "../../resources/apiKey.example";
import { sourcesByKind } from "../../resources/source.example";
import { validInputs } from "../../resources/validInputs";

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

describe("The surface of the package", () => {
  it("is these names for programs", () => {
    expect(Object.keys(pipestack).sort()).to.deep.equal([
      "Alert",
      "ApiKey",
      "Connection",
      "Dashboard",
      "Provider",
      "QueryEndpoint",
      "SavedSearch",
      "ServiceScaling",
      "Source",
      "Webhook",
      "getAlerts",
      "getAlertsOutput",
      "getChartSeries",
      "getChartSeriesOutput",
      "getConnection",
      "getConnectionOutput",
      "getConnections",
      "getConnectionsOutput",
      "getDashboards",
      "getDashboardsOutput",
      "getPipe",
      "getPipeOutput",
      "getPipeSettings",
      "getPipeSettingsOutput",
      "getPipes",
      "getPipesOutput",
      "getReversePrivateEndpoints",
      "getReversePrivateEndpointsOutput",
      "getSavedSearch",
      "getSavedSearchOutput",
      "getSavedSearches",
      "getSavedSearchesOutput",
      "getSource",
      "getSourceOutput",
      "getSources",
      "getSourcesOutput",
      "getWebhook",
      "getWebhookOutput",
      "getWebhooks",
      "getWebhooksOutput",
    ]);
  });

  it("is these names for the engine's host, each with all methods", () => {
    expect(Object.keys(host).sort()).to.deep.equal([
      "Alert",
      "ApiKey",
      "Connection",
      "Dashboard",
      "QueryEndpoint",
      "SavedSearch",
      "ServiceScaling",
      "Source",
      "Webhook",
    ]);
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
      const create = {
        ServiceScaling: (name: string) => new pipestack.ServiceScaling(name, validInputs.ServiceScaling),
        ApiKey: (name: string) => new pipestack.ApiKey(name, { roles: ["admin"], hashData }),
        QueryEndpoint: (name: string) => new pipestack.QueryEndpoint(name, { roles: [], openApiKeys: [] }),
        Alert: (name: string) =>
          new pipestack.Alert(
            name,
            {
              threshold: 1,
              interval: "5m",
              thresholdType: "above",
              source: "search",
              channel: { type: "webhook", webhookId: "1" },
            },
            { additionalSecretOutputs: ["message"] },
          ),
        Dashboard: (name: string) => new pipestack.Dashboard(name, { name: "Ingestion", tiles: [] }),
        SavedSearch: (name: string) => new pipestack.SavedSearch(name, { sourceId: "1" }),
        Connection: (name: string) =>
          new pipestack.Connection(name, { host: "https://lake.example.com", username: "", password: "p" }),
        Source: (name: string) => new pipestack.Source(name, sourcesByKind.promql),
        Webhook: (name: string) =>
          new pipestack.Webhook(name, { service: "generic", url: "https://hooks.example.com" }),
      };
      const urns = Object.entries(create).map(([type, make]) => make(`my-${type}`).urn);
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
      expect(registered((registration) => registration.getType())).to.deep.equal({
        ServiceScaling: "pulumi-nodejs:dynamic/pipestack:ServiceScaling",
        ApiKey: "pulumi-nodejs:dynamic/pipestack:ApiKey",
        QueryEndpoint: "pulumi-nodejs:dynamic/pipestack:QueryEndpoint",
        Alert: "pulumi-nodejs:dynamic/pipestack:Alert",
        Dashboard: "pulumi-nodejs:dynamic/pipestack:Dashboard",
        SavedSearch: "pulumi-nodejs:dynamic/pipestack:SavedSearch",
        Connection: "pulumi-nodejs:dynamic/pipestack:Connection",
        Source: "pulumi-nodejs:dynamic/pipestack:Source",
        Webhook: "pulumi-nodejs:dynamic/pipestack:Webhook",
      });
    });

    it("is these __provider strings, of at most 80 bytes", () => {
      const strings = registered((registration) => propertiesOf(registration).__provider);
      expect(strings).to.deep.equal({
        ServiceScaling: 'exports.handler=()=>require("pipestack/host").ServiceScaling',
        ApiKey: 'exports.handler=()=>require("pipestack/host").ApiKey',
        QueryEndpoint: 'exports.handler=()=>require("pipestack/host").QueryEndpoint',
        Alert: 'exports.handler=()=>require("pipestack/host").Alert',
        Dashboard: 'exports.handler=()=>require("pipestack/host").Dashboard',
        SavedSearch: 'exports.handler=()=>require("pipestack/host").SavedSearch',
        Connection: 'exports.handler=()=>require("pipestack/host").Connection',
        Source: 'exports.handler=()=>require("pipestack/host").Source',
        Webhook: 'exports.handler=()=>require("pipestack/host").Webhook',
      });
      for (const text of Object.values(strings)) expect(Buffer.byteLength(String(text))).to.be.at.most(80);
    });

    it("keeps these outputs encrypted, beside those that a program asks for", () => {
      expect(registered((registration) => registration.getAdditionalsecretoutputsList())).to.deep.equal({
        ServiceScaling: ["encryptionKey"],
        ApiKey: ["keySecret", "hashData"],
        QueryEndpoint: [],
        Alert: ["message"],
        Dashboard: [],
        SavedSearch: [],
        Connection: ["password"],
        Source: [],
        Webhook: ["url", "headers", "queryParams"],
      });
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
      expect(names).to.deep.equal({
        ServiceScaling: ["__provider", ...Object.keys(validInputs.ServiceScaling)].sort(),
        ApiKey: ["__provider", "hashData", "name", "roles"],
        QueryEndpoint: ["__provider", "openApiKeys", "roles"],
        Alert: ["__provider", "channel", "interval", "source", "threshold", "thresholdType"],
        Dashboard: ["__provider", "name", "tiles"],
        SavedSearch: ["__provider", "name", "sourceId"],
        Connection: ["__provider", "host", "name", "password", "username"],
        Source: ["__provider", ...Object.keys(sourcesByKind.promql)].sort(),
        Webhook: ["__provider", "name", "service", "url"],
      });
    });
  });
});
