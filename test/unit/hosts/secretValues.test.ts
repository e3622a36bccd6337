import { expect } from "chai";
import { secret, signature } from "../../../provider/hosts/engineValues";
import { resources } from "../../../provider/resources/registry";
import { SecretTexts } from "../../../provider/values/redact";
import { secretTexts } from "../../../provider/values/secretValues";
import { failureOf } from "../api/failure";
import { refused } from "../api/server";
import { alert, place, useService } from "../lifecycle/service";
import { dashboard, plain, usePlugin } from "./plugin/engine";

describe("Values that a program keeps secret", () => {
  const textsOf = (values: object, ...places: (string | number)[][]) =>
    secretTexts(resources.Alert.inputs, { ...alert, ...values }, places);

  it("numbers, words of a fixed set, ids and names are told", () => {
    const keys = ["threshold", "name", "thresholdType", "interval", "source", "tileId", "channel"];
    expect(textsOf({ tileId: "66f0c2d8a1b2c3d4e5f60718" }, ...keys.map((key) => [key]))).to.deep.equal([]);
  });

  it("texts at secret places are not, at any depth", () => {
    expect(textsOf({ message: "payroll" }, ["message"])).to.deep.equal(["payroll"]);
    const tags = { tags: ["open", "payroll"] };
    expect(textsOf(tags, ["tags", 1])).to.deep.equal(["payroll"]);
    expect(textsOf(tags, ["tags"])).to.deep.equal(["open", "payroll"]);
    expect(textsOf(tags, ["absent", 3])).to.deep.equal([]);
  });

  it("a short one withholds a server's words as a whole, and is sought in quotes alone in ours", () => {
    const secrets = new SecretTexts();
    secrets.add("ab");
    expect(secrets.hideInAnswer("the table is gone")).to.equal(
      "the server's words are withheld, since they repeat a secret",
    );
    expect(secrets.hideInAnswer("nothing")).to.equal("nothing");
    expect(secrets.hide('a table, not "ab"')).to.equal('a table, not "[hidden]"');
  });

  it("a line of a long text is hidden by itself", () => {
    const secrets = new SecretTexts();
    secrets.add("SELECT salary\nFROM payroll");
    expect(secrets.hide("near 'FROM payroll'")).to.equal("near '[hidden]'");
  });

  describe("in the words of a server", () => {
    const service = useService();

    it("no error and no warning of a session repeats one", async () => {
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

  describe("in the plugin", () => {
    const current = usePlugin();

    it("marks the records of a state as secret, which have digests of them", async () => {
      const tracking = async (where: unknown) => {
        const [tile] = dashboard.tiles;
        const [series] = tile?.series ?? [];
        const tiles = [{ ...tile, series: [{ ...series, where }] }];
        const created = await current.plugin.resource("Dashboard").create({ ...dashboard, tiles });
        return plain(created.getProperties()).__tracking;
      };
      expect(await tracking(secret("level:payroll"))).to.have.property(signature);
      expect(await tracking("level:payroll")).to.not.have.property(signature);
    });
  });
});
