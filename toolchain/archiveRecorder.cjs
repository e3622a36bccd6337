/**
 * Runs the plugin's bundle through the calls that every update makes, and writes the code that V8 has compiled for them:
 * `node archiveRecorder.cjs <module that runs bundles> <bundle> <file to write>`.
 */
const { readFileSync, writeFileSync } = require("node:fs");
const { createServer } = require("node:http");
const { credentials } = require("@grpc/grpc-js");
const { Struct } = require("google-protobuf/google/protobuf/struct_pb.js");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb.js");
const { ResourceProviderClient } = require("@pulumi/pulumi/proto/provider_grpc_pb");
const messages = require("@pulumi/pulumi/proto/provider_pb");

const [codeCache = "", bundle = "", code = ""] = process.argv.splice(2, 3);
/** @type {typeof import("../cli/codeCache")} */
const { runBundle } = require(codeCache);
const id = "66f0c2d8a1b2c3d4e5f60731";
const tile = {
  name: "Errors",
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  series: [{ type: "number", aggFn: "count", where: "" }],
};
const channel = { type: "webhook", webhookId: id };
const objects = {
  Dashboard: { name: "Overview", tiles: [tile] },
  Alert: {
    ...{ name: "Errors", source: "tile", dashboardId: id, tileId: id, channel },
    ...{ threshold: 5, thresholdType: "above", interval: "5m" },
  },
};
const service = createServer(({ url = "" }, response) => {
  const [, object] = Object.entries(objects).find(([type]) => url.includes(type.toLowerCase())) ?? [];
  const shown = { id, ...object, tiles: [{ id, ...tile }] };
  const text = JSON.stringify({ data: url.endsWith(id) ? shown : [shown] });
  response.writeHead(200, { "content-type": "application/json" }).end(text);
});
const write = process.stdout.write.bind(process.stdout);
/** @type {import("node:vm").Script | undefined} */
let script;

// The first line that the plugin prints is its port.
process.stdout.write = (/** @type {any} */ line) => {
  process.stdout.write = write;
  converse(String(line).trim()).then(
    () => {
      if (script) writeFileSync(code, script.createCachedData());
      process.exit();
    },
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
  return true;
};
service.listen(0, "127.0.0.1", () => {
  process.argv.push("127.0.0.1:1");
  script = runBundle(readFileSync(bundle, "utf8"), bundle);
});

/** @param {string} port */
async function converse(port) {
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  /** @param {string} method @param {object} request @returns {Promise<any>} */
  const call = (method, request) =>
    new Promise((resolve, reject) =>
      /** @type {any} */ (client)[method](
        request,
        (/** @type {unknown} */ error, /** @type {any} */ response) =>
          error ? reject(error) : resolve(response),
      ),
    );
  const struct = (/** @type {any} */ value) => Struct.fromJavaScript(value);
  const address = /** @type {import("node:net").AddressInfo} */ (service.address());
  const settings = struct({ obsBaseUrl: `http://127.0.0.1:${address.port}`, accessToken: "a-token" });
  await call("getPluginInfo", new Empty());
  await call("checkConfig", new messages.CheckRequest().setNews(settings));
  await call("diffConfig", new messages.DiffRequest().setOlds(settings).setNews(settings));
  await call("configure", new messages.ConfigureRequest().setName("default").setArgs(settings));
  for (const [type, inputs] of Object.entries(objects)) {
    const urn = `urn:pulumi:dev::project::pipestack:index:${type}::name`;
    const check = new messages.CheckRequest().setUrn(urn).setNews(struct(inputs));
    const answer = await call("check", check.setOlds(struct(inputs)));
    if (answer.getFailuresList().length > 0) throw new Error(`${type}: ${answer.getFailuresList()}`);
    const checked = answer.getInputs();
    const request = new messages.DiffRequest().setUrn(urn).setId(id).setOlds(checked).setOldInputs(checked);
    await call("diff", request.setNews(checked));
    const read = new messages.ReadRequest().setUrn(urn).setId(id);
    await call("read", read.setProperties(checked).setInputs(checked));
  }
}
