import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { secret } from "../../../../provider/hosts/engineValues";
import { plain, struct, urnOf, usePlugin } from "./engine";

const { PROPOSE, ENFORCE, DISABLE } = messages.CheckRequest.AutonamingOptions.Mode;
const key = { roles: ["developer"] };

describe("Automatic names of the plugin", () => {
  const tested = usePlugin();

  /** The name of the checked inputs and, behind it, what a check refuses. */
  async function checked(
    type: string,
    { mode, news, olds = {} }: { mode: 0 | 1 | 2; news: object; olds?: object },
  ): Promise<unknown[]> {
    const autonaming = new messages.CheckRequest.AutonamingOptions().setProposedName("it-4f2a").setMode(mode);
    const request = new messages.CheckRequest().setUrn(urnOf(type)).setAutonaming(autonaming);
    const response = await tested.plugin.call<messages.CheckResponse>(
      "check",
      request.setNews(struct(news)).setOlds(struct(olds)),
    );
    const refused = response.getFailuresList().map((failure) => failure.getReason());
    return [plain(response.getInputs()).name, ...refused];
  }

  for (const mode of [PROPOSE, ENFORCE] as const) {
    it(`gives a new object the name of the configuration, and keeps that of an existing one, in mode ${mode}`, async () => {
      expect(await checked("ApiKey", { mode, news: key })).to.deep.equal(["it-4f2a"]);
      expect(await checked("ApiKey", { mode, news: key, olds: { ...key, name: "it-0b17" } })).to.deep.equal([
        "it-0b17",
      ]);
    });

    it(`takes the name that a program declares, in mode ${mode}`, async () => {
      const olds = { ...key, name: "it-0b17" };
      expect(await checked("ApiKey", { mode, news: { ...key, name: "mine" }, olds })).to.deep.equal(["mine"]);
    });
  }

  it("keeps no name that was secret, which would be in plain text from then on", async () => {
    const olds = { ...key, name: secret("hidden") };
    expect(await checked("ApiKey", { mode: PROPOSE, news: key, olds })).to.deep.equal(["it-4f2a"]);
  });

  it("refuses an object without a name where the configuration disables automatic names", async () => {
    const refused = "is required, since pulumi:autonaming disables automatic names";
    for (const olds of [{}, { ...key, name: "it" }])
      expect(await checked("ApiKey", { mode: DISABLE, news: key, olds })).to.deep.equal(["it", refused]);
    expect(await checked("ApiKey", { mode: DISABLE, news: { ...key, name: "mine" } })).to.deep.equal([
      "mine",
    ]);
  });

  it("leaves alone the types whose names are titles", async () => {
    const [name, refused] = await checked("Dashboard", { mode: PROPOSE, news: { tiles: [] } });
    expect([name, refused]).to.deep.equal([undefined, "is required"]);
  });
});
