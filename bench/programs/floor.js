// Resources that do nothing but keep as much state as the service's resources do: what the engine and the SDK alone cost.
const pulumi = require("@pulumi/pulumi");

const providerOf = (type) => `exports.handler=()=>require("./floorHost.js").${type}`;

const resource = (type, outputs = {}) =>
  class extends pulumi.CustomResource {
    constructor(name, args, opts) {
      super(
        `pulumi-nodejs:dynamic/floor:${type}`,
        name,
        { ...outputs, ...args, __provider: providerOf(type) },
        opts,
      );
    }
  };

exports.Alert = resource("Alert");
exports.ApiKey = resource("ApiKey");
exports.Dashboard = resource("Dashboard", { tileIds: undefined });
exports.QueryEndpoint = resource("QueryEndpoint");
exports.ServiceScaling = resource("ServiceScaling");
