import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import { settingVariables } from "../../pipestackCommand";
import { place, useServer } from "../api/server";
import { hostWith, withoutEnvironment } from "../hosts/dynamic/hostProcess";

const signature = "4dabf18193072939515e22adb298388d";

describe("an engine's mark in an answer", () => {
  const server = useServer();
  let restore: () => void;
  before(() => {
    restore = withoutEnvironment();
  });
  after(() => restore());

  const marks = {
    secret: { [signature]: "1b47061264138c4ac30d75fd1eb44270", value: "x" },
    // The engine reads these files.
    file: { [signature]: "c44067f5952c0a294b673a41bacd8c17", path: "/etc/passwd" },
    archive: { [signature]: "0def7320c3a5731c473e5ecbe6d01bc7", path: "/etc" },
    remote: { [signature]: "c44067f5952c0a294b673a41bacd8c17", uri: "http://169.254.169.254/" },
    resource: { [signature]: "5cf8f73096256a8f31e491e813e4eb8e", urn: "urn:pulumi:dev::test::a:b:C::d" },
    output: { [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", value: "x" },
    unknown: "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  };
  const tile = { id: "t", name: "t", x: 0, y: 0, w: 1, h: 1, config: { ...marks, displayType: "line" } };
  const dashboard = { id: "a", name: "d", tiles: [tile], ...marks };
  const settings = () => {
    const { url } = server.current;
    const credentials = { keyId: "keyId", keySecret: "key-secret", accessToken: "token" };
    return { baseUrl: url, obsBaseUrl: url, ...credentials, ...place, maxRetries: "0" };
  };

  function expectOnlyData(value: unknown): void {
    const text = JSON.stringify(value);
    expect(text).to.include("/etc/passwd").and.not.include(signature).and.not.include(marks.unknown);
  }

  it("is plain data in a state", async () => {
    server.current.alwaysAnswer({ body: { status: 200, requestId: "r", result: [dashboard] } });
    const found = await hostWith(settings()).Dashboard.read?.("a", { ...place });
    expectOnlyData(found?.props);
    expectOnlyData(found?.inputs);
  });

  it("is plain data in the result of a function", async () => {
    server.current.alwaysAnswer({ body: { status: 200, requestId: "r", result: [dashboard] } });
    Object.assign(process.env, settingVariables(settings()));
    expectOnlyData(await pipestack.getDashboards());
  });
});

describe("an engine's mark in an argument", () => {
  const asset = { [signature]: "c44067f5952c0a294b673a41bacd8c17", path: "/etc/passwd" };
  const tile = { name: "t", x: 0, y: 0, w: 1, h: 1 };

  const dashboard = { name: "d", tiles: [{ ...tile, config: { select: [asset] } }] };
  for (const [type, argument, path] of [
    ["ApiKey", { name: "k", roles: ["admin"], keepers: asset }, "keepers"],
    ["Dashboard", dashboard, "tiles[0].config.select[0]"],
  ] as const) {
    it(`is refused by its path: ${path}`, async () => {
      const { failures } = (await hostWith({})[type].check?.({}, argument)) ?? {};
      expect(failures).to.deep.include({
        property: "",
        reason: `${path} must be plain data; assets, archives and resources are not supported`,
      });
    });
  }
});
