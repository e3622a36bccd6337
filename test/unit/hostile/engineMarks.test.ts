import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import { settingVariables } from "../../pipestackCommand";
import { place, useServer } from "../api/server";
import { hostWith, withoutEnvironment } from "../hosts/dynamic/hostProcess";

const signature = "4dabf18193072939515e22adb298388d";
// An asset that stands for a file. If a provider passed it from an API's answer on to the engine, the engine would read the
// file.
const asset = { [signature]: "c44067f5952c0a294b673a41bacd8c17", path: "/etc/passwd" };
const marks = {
  secret: { [signature]: "1b47061264138c4ac30d75fd1eb44270", value: "x" },
  file: asset,
  archive: { [signature]: "0def7320c3a5731c473e5ecbe6d01bc7", path: "/etc" },
  remote: { [signature]: "c44067f5952c0a294b673a41bacd8c17", uri: "http://169.254.169.254/" },
  resource: { [signature]: "5cf8f73096256a8f31e491e813e4eb8e", urn: "urn:pulumi:dev::test::a:b:C::d" },
  output: { [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", value: "x" },
  unknown: "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
};
const tile = (config: object) => ({ name: "t", x: 0, y: 0, w: 1, h: 1, config });

describe("The engine's markers of secrets and assets in answers and arguments", () => {
  const server = useServer();
  let restore: () => void;
  before(() => {
    restore = withoutEnvironment();
  });
  after(() => restore());

  it("engine markers in an answer are plain data in the state and in the result of a function", async () => {
    const dashboard = {
      id: "a",
      name: "d",
      tiles: [{ id: "t", ...tile({ ...marks, displayType: "line" }) }],
      ...marks,
    };
    server.current.alwaysAnswer({ body: { status: 200, requestId: "r", result: [dashboard] } });
    const { url } = server.current;
    const credentials = { keyId: "keyId", keySecret: "key-secret", accessToken: "token" };
    const settings = { baseUrl: url, obsBaseUrl: url, ...credentials, ...place, maxRetries: "0" };
    const { props, inputs } = await hostWith(settings).Dashboard.read("a", { ...place });
    Object.assign(process.env, settingVariables(settings));
    for (const value of [props, inputs, await pipestack.getDashboards()]) {
      const text = JSON.stringify(value);
      expect(text).to.include("/etc/passwd").and.not.include(signature).and.not.include(marks.unknown);
    }
  });

  for (const [type, argument, path] of [
    ["ApiKey", { name: "k", roles: ["admin"], keepers: asset }, "keepers"],
    ["Dashboard", { name: "d", tiles: [tile({ select: [asset] })] }, "tiles[0].config.select[0]"],
  ] as const)
    it(`the check refuses a Pulumi asset in an argument that takes plain data, and names its path: ${path}`, async () => {
      const { failures } = await hostWith({})[type].check({}, argument);
      expect(failures).to.deep.include({
        property: "",
        reason: `${path} must be plain data; assets, archives and resources are not supported`,
      });
    });
});
