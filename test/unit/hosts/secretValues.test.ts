import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import type { ApiError } from "../../../provider/api/errors";
import { secret, signature } from "../../../provider/engine/engineValues";
import { secretPlaces } from "../../../provider/hosts/dynamic/secretPlaces";
import { EngineLog } from "../../../provider/hosts/plugin/engineLog";
import { createService } from "../../../provider/hosts/plugin/pluginService";
import { SecretTracker } from "../../../provider/hosts/secrecy";
import type { Session } from "../../../provider/lifecycle/session";
import { declarable, resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { SecretTexts } from "../../../provider/values/redact";
import { secretTexts } from "../../../provider/values/secretValues";
import { callOf } from "../../life/hosts";
import { secretPlacesIn, withoutSecrets } from "../../simulation/actors/secrets";
import { failureOf } from "../api/failure";
import { refused } from "../api/server";
import { alert, dashboard, place, useService } from "../lifecycle/scriptedService";
import { hostWith, type RawSettings } from "./dynamic/hostProcess";
import { failureOfCall, plain, resourceWith, struct, urnOf } from "./plugin/engine";

/** Returns the reasons for the failure of a create that the engine stores in the Pulumi state. */
const reasonsOf = async (failure: Error & { reasons?: readonly string[] }) =>
  failure.reasons ?? (await failureOfCall(Promise.reject(failure))).saved?.getReasonsList();

type TestedType = "Dashboard" | "AlertSet";

describe("Values that a program marks as secret, in messages", () => {
  const textsOf = (values: object, ...places: (string | number)[][]) =>
    secretTexts(resources.Alert.inputs, { ...alert, ...values }, places);

  it("the provider's messages show numbers, words of a fixed set, ids and names even if secret", () => {
    const keys = ["threshold", "name", "thresholdType", "interval", "source", "tileId", "channel"];
    expect(textsOf({ tileId: "66f0c2d8a1b2c3d4e5f60718" }, ...keys.map((key) => [key]))).to.deep.equal([]);
  });

  it("the provider's messages hide texts that a program marks as secret, at any depth of a value", () => {
    expect(textsOf({ message: "payroll" }, ["message"])).to.deep.equal(["payroll"]);
    const tags = { tags: ["open", "payroll"] };
    expect(textsOf(tags, ["tags", 1])).to.deep.equal(["payroll"]);
    expect(textsOf(tags, ["tags"])).to.deep.equal(["open", "payroll"]);
    expect(textsOf(tags, ["absent", 3])).to.deep.equal([]);
  });

  it("the provider's messages show names of properties that its encrypted records contain", () => {
    const session = { secrets: new SecretTexts() };
    const secrecy = new SecretTracker(resources.Pipe, () => session as Session);
    const state = {
      name: "orders",
      __tracking: { undeclared: ["settings"] },
      credentials: { password: "payroll" },
    };
    secrecy.conceal(state, [["__tracking"]]);
    expect(session.secrets.hide("source.postgres.settings")).to.equal("source.postgres.settings");
    expect(session.secrets.hide("payroll")).to.equal("[hidden]");
  });

  it("user names and ids of access keys are no secrets by themselves, unless the program marks them", () => {
    const credentials = {
      username: "default",
      password: "payroll",
      accessKeyId: "AKIAREADER",
      secretKey: "key of it",
    };
    const pipeTexts = (...keys: string[]) => secretTexts(resources.Pipe.inputs, { credentials }, [keys]);
    expect(pipeTexts("credentials")).to.have.members(["payroll", "key of it"]);
    expect(pipeTexts("credentials", "username")).to.deep.equal(["default"]);
  });

  it("a server's message is withheld if a word of it contains a short secret", () => {
    const secrets = new SecretTexts();
    secrets.add("ab");
    expect(secrets.hideInAnswer("the table is gone")).to.equal(
      "the server's words are withheld, since they repeat a secret",
    );
    expect(secrets.hideInAnswer("nothing")).to.equal("nothing");
  });

  it("the provider's own messages hide a short secret only where they quote it", () => {
    const secrets = new SecretTexts();
    secrets.add("ab");
    expect(secrets.hide('a table, not "ab"')).to.equal('a table, not "[hidden]"');
  });

  it("the provider's messages hide each line of a long secret text", () => {
    const secrets = new SecretTexts();
    secrets.add("SELECT salary\nFROM payroll");
    expect(secrets.hide("near 'FROM payroll'")).to.equal("near '[hidden]'");
  });

  describe("what a server of the product says", () => {
    const service = useService({ dialect: "clickhouse" });

    it("what a server says of a pipe is told, although it names the pipe's user, and not the password", async () => {
      const { session } = service.open({ dialect: "clickhouse", maxRetries: 0 });
      const credentials = { username: "app", password: "payroll" };
      new SecretTracker(resources.Pipe, () => session).conceal({ credentials }, []);
      service.gateway = () => refused(400, "the app user app cannot sign in with payroll");
      const body = { source: { kafka: { credentials } } };
      const { message } = await failureOf(session.call("updatePipe", { ...place, id: "p" }, body));
      expect(message).to.match(/^the app user app cannot sign in with \[hidden\]/);
    });

    it("a secret of one letter withholds the server's words, and the error is of the same kind as without it", async () => {
      const { session } = service.open({ dialect: "clickhouse" });
      session.secrets.add("w");
      const inputs = { ...place, weekday: 0, startHourUtc: 6 };
      expect((await resources.UpgradeWindow.create(inputs, session)).failure).to.equal(undefined);
      expect(service.model.store.services.get(place.serviceId)?.upgradeWindow).to.deep.equal({
        weekday: 0,
        startHourUtc: 6,
      });
      service.gateway = () => refused(404, "NOT_FOUND: no upgrade window here");
      const failure = await failureOf(session.call("getUpgradeWindow", place));
      expect(failure.message).to.match(/^the server's words are withheld/);
      expect(inspect(failure)).to.not.include("no upgrade window");
      expect((failure as ApiError).says(/^NOT_FOUND/)).to.equal(true);
    });
  });

  describe("secrets in the messages of a server", () => {
    const service = useService();

    it("no error and no warning of a session shows a secret that the server repeats", async () => {
      const { session, warnings } = service.open({ maxRetries: 0 });
      session.secrets.add("payroll-query");
      service.gateway = () => refused(400, 'no: {\\"message\\":\\"payroll-query\\"}');
      const { message } = await failureOf(
        resources.Alert.create({ ...place, ...alert, message: "payroll-query" }, session),
      );
      expect(message).to.include("[hidden]").and.not.include("payroll-query");
      session.warnOnce("it says payroll-query");
      expect(warnings.at(-1)).to.equal("it says [hidden]");
    });
  });

  it("the class of a resource tells the dynamic host the paths of secret values, at any depth", async () => {
    const places = await secretPlaces({
      message: pulumi.secret("payroll"),
      threshold: 5,
      tiles: [pulumi.output({ series: [{ where: "a" }] }), Promise.resolve({ where: pulumi.secret("b") })],
      defaults: { where: pulumi.interpolate`user:${pulumi.secret("c")}` },
      broken: pulumi.output(Promise.reject(new Error("no value"))),
    });
    expect(places).to.deep.equal([["message"], ["tiles", 1, "where"], ["defaults", "where"]]);
    expect(secretPlaces({ name: "Slow", tiles: [{ name: "A" }] })).to.equal(undefined);
    expect(await secretPlaces({ name: pulumi.output("Slow") })).to.equal(undefined);
  });

  const hosts = {
    async "the dynamic host"(
      settings: RawSettings,
      declared: PropertyMap,
      type: TestedType = "Dashboard",
    ): Promise<PropertyMap> {
      const places = secretPlacesIn(declared);
      const host = hostWith(settings, undefined, (answer) => answer)[type];
      const inputs = {
        ...(withoutSecrets(declared) as PropertyMap),
        ...(places.length > 0 && { __secrets: places }),
      };
      return (await host.create(inputs)).outs as PropertyMap;
    },
    async "the plugin"(
      settings: RawSettings,
      declared: PropertyMap,
      type: TestedType = "Dashboard",
    ): Promise<PropertyMap> {
      const offered = { resources: declarable, components: {}, functions: {} };
      const call = callOf(createService(offered, new EngineLog(), ""));
      await call("configure", new messages.ConfigureRequest().setName("own").setArgs(struct(settings)));
      return plain((await resourceWith(call, urnOf(type)).create(declared)).getProperties());
    },
  };

  for (const [host, create] of Object.entries(hosts))
    describe(`Secrets of a program in ${host}`, () => {
      const service = useService();
      const declared = (where: unknown) => ({
        ...{ ...place, name: "Board" },
        tiles: dashboard.tiles.map((tile) => ({ ...tile, series: [{ type: "number", where }] })),
      });

      it("no error shows a text that the program marks as secret and that the server repeats", async () => {
        service.gateway = () => refused(400, 'no: {\\"where\\":\\"payroll-query\\"}');
        const { message } = await failureOf(create(service.settings(), declared(secret("payroll-query"))));
        expect(message).to.include("[hidden]").and.not.include("payroll-query");
      });

      it("the provider's messages show text that the program does not mark as secret", async () => {
        service.gateway = () => refused(400, 'no: {\\"where\\":\\"payroll-query\\"}');
        const { message } = await failureOf(create(service.settings(), declared("payroll-query")));
        expect(message).to.include("payroll-query");
      });

      it("no message and no reason in a state shows a secret of a refused AlertSet entry", async () => {
        let creates = 0;
        service.gateway = (operation, carryOut) =>
          operation === "createAlert" && ++creates > 1
            ? refused(400, 'no: {\\"message\\":\\"payroll-query\\"}')
            : carryOut();
        const alerts = Object.fromEntries(
          ["a", "b"].map((key) => [key, { ...alert, message: secret("payroll-query") }]),
        );
        const failure = await failureOf(create(service.settings(), { ...place, alerts }, "AlertSet"));
        expect(failure.message).to.include("[hidden]").and.not.include("payroll-query");
        expect(await reasonsOf(failure)).to.deep.equal([failure.message]);
      });

      it("a state encrypts all outputs and records of the provider that repeat a secret", async () => {
        service.rewrite(/Dashboard/, /"tags":\[\]/, '"tags":["see payroll-query"]');
        const state = await create(service.settings(), declared(secret("payroll-query")));
        expect(state.tags).to.have.property(signature);
        expect(state.__tracking).to.have.property(signature);
      });

      it("a state has the provider's records and the outputs in plain text if the program has no secret", async () => {
        service.rewrite(/Dashboard/, /"tags":\[\]/, '"tags":["see payroll-query"]');
        const state = await create(service.settings(), declared("payroll-query"));
        expect(state.tags).to.deep.equal(["see payroll-query"]);
        expect(state.__tracking).to.not.have.property(signature);
      });
    });
});
