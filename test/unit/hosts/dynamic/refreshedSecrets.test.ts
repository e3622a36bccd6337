import { expect } from "chai";
import { signature } from "../../../../provider/engine/engineValues";
import type { PropertyMap } from "../../../../provider/values/data";
import { withoutSecrets } from "../../../simulation/actors/secrets";
import { failureOf } from "../../api/failure";
import { reset } from "../../api/server";
import { place, useService } from "../../lifecycle/scriptedService";
import { hostWith } from "./hostProcess";

const webhook = {
  ...{ ...place, name: "team", service: "incidentio" },
  url: "https://hooks.example.com/first",
  headers: { "x-key": "payroll-query" },
};

describe("Secrets among the inputs that a read returns, in the dynamic host", () => {
  const service = useService({ dialect: "clickhouse" });

  /**
   * Creates a webhook, and updates it in vain with an answer that is lost. Then somebody changes its address, and a refresh reads
   * it. Returns the inputs that the engine gets from that.
   */
  const refreshedInputs = async (first: PropertyMap, second: PropertyMap): Promise<PropertyMap> => {
    const settings = { ...service.settings(), dialect: "clickhouse", maxRetries: "0" };
    const { id, outs } = await hostWith(settings).Webhook.create(first);
    service.gateway = (operation, carryOut) => (operation === "updateWebhook" ? reset : carryOut());
    const update = hostWith(settings).Webhook.update(id, outs as PropertyMap, second);
    const { properties = {} } = (await failureOf(update)) as Error & { properties?: PropertyMap };
    service.gateway = undefined;
    Object.assign(service.model.store.webhooks.get(id) ?? {}, { url: "https://hooks.example.com/by-hand" });
    const host = hostWith(settings, undefined, (answer) => answer).Webhook;
    return (await host.read(id, withoutSecrets(properties) as PropertyMap)).inputs as PropertyMap;
  };

  it("a refresh marks a secret input that a failed update has given up, and that the state still has", async () => {
    const { headers, ...others } = webhook;
    const inputs = await refreshedInputs(webhook, { ...others, description: "Pages" });
    expect(withoutSecrets(inputs)).to.deep.include({ headers });
    expect(inputs.headers).to.have.property(signature);
  });

  it("a refresh marks a text that the program had marked, if a failed update was to make it plain", async () => {
    const marked = { ...webhook, description: "payroll", __secrets: [["description"]] };
    const inputs = await refreshedInputs(marked, { ...webhook, description: "Pages" });
    expect(withoutSecrets(inputs)).to.deep.include({ description: "payroll" });
    expect(inputs.description).to.have.property(signature);
    expect(inputs.name).to.equal("team");
  });

  it("a read of an object that the program only refers to marks its secret inputs", async () => {
    const settings = { ...service.settings(), dialect: "clickhouse" };
    const { id } = await hostWith(settings).Webhook.create(webhook);
    const { inputs } = await hostWith(settings, undefined, (answer) => answer).Webhook.read(id, {});
    expect(withoutSecrets(inputs)).to.include({ url: webhook.url, name: "team" });
    expect(inputs?.url).to.have.property(signature);
  });
});
