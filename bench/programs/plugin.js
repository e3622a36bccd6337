// What a generated SDK for the resource plugin comes to.
const pulumi = require("@pulumi/pulumi");

const resource = (type, outputs = {}) =>
  class extends pulumi.CustomResource {
    constructor(name, args, opts) {
      super(`pipestack:index:${type}`, name, { ...outputs, ...args }, opts);
    }
  };

exports.Alert = resource("Alert");
exports.ApiKey = resource("ApiKey");
exports.Dashboard = resource("Dashboard", { tileIds: undefined });
exports.QueryEndpoint = resource("QueryEndpoint");
exports.ServiceScaling = resource("ServiceScaling");
