import { expect } from "chai";
import { importObject } from "../../../provider/lifecycle/read";
import { resources } from "../../../provider/resources/registry";
import { sessionFor } from "../lifecycle/note";
import { failuresOf, itKeeps, onManagement, type Rule } from "./rules";
import { validInputs } from "./validInputs";

const address = "host must be an address with http or https, without a user or a password";
const refusedHosts = [
  ...["warehouse.example.com:8443", "tcp://warehouse.example.com:9000", "https://"],
  ...["https://reader:secret@warehouse.example.com", "https://warehouse.example.com/ "],
];

const rules: readonly Rule[] = [
  ...refusedHosts.map((host): Rule => [{ host }, address]),
  [{ host: "https://proxy.example.com/warehouse@eu?user=reader" }, []],
  [{ username: "" }, []],
  [{ hyperdxSettingPrefix: "lake-" }, "hyperdxSettingPrefix must be letters, digits and underscores"],
];

describe("The check of a connection", () => {
  itKeeps({ type: "Connection" }, rules);

  it("the check refuses every connection if the settings name the management API, which has no connections", () => {
    expect(failuresOf("Connection", validInputs.Connection, onManagement)).to.deep.equal([
      "the management API has no connections; for those of a self-hosted server, set obsBaseUrl and accessToken, and set observabilityVia to observability",
    ]);
    expect(failuresOf("Webhook", validInputs.Webhook, onManagement)).to.deep.equal([]);
  });

  it("an import of a connection through the management API fails with the reason", async () => {
    const { session } = sessionFor(onManagement);
    const failed = await importObject(resources.Connection, "65f1c0a2b3d4e5f607182900", {}, session).catch(
      (error: Error) => error.message,
    );
    expect(failed).to.include("the management API has no connections");
  });
});
