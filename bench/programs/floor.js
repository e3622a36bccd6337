// Resources that do nothing, but for keeping as much in the state as the service's do: what the engine and the SDK cost
// by themselves. BENCH_PADDING is the length of one more input, BENCH_OUTPUTS the number of further outputs that each
// resource declares and never has.
const pulumi = require("@pulumi/pulumi");

const { BENCH_PADDING, BENCH_OUTPUTS = 0 } = process.env;
const padding = BENCH_PADDING ? { padding: "x".repeat(Number(BENCH_PADDING)) } : {};
const further = Object.fromEntries(
  Array.from({ length: Number(BENCH_OUTPUTS) }, (_, index) => [`output${index}`]),
);

const providerOf = (type) => `exports.handler=()=>require("./floorHost.js").${type}`;

const resource = (type, outputs = {}) =>
  class extends pulumi.CustomResource {
    constructor(name, args, opts) {
      super(
        `pulumi-nodejs:dynamic/floor:${type}`,
        name,
        { ...further, ...outputs, ...args, ...padding, __provider: providerOf(type) },
        opts,
      );
    }
  };

exports.Alert = resource("Alert");
exports.ApiKey = resource("ApiKey");
exports.Dashboard = resource("Dashboard", { tileIds: undefined });
exports.QueryEndpoint = resource("QueryEndpoint");
exports.ServiceScaling = resource("ServiceScaling");
