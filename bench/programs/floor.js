// An alert whose provider does nothing but keep as much state as the real one: it measures the engine and the SDK
// alone.
const pulumi = require("@pulumi/pulumi");

const __provider = 'exports.handler=()=>require("./floorHost.js").Alert';

exports.Alert = class extends pulumi.CustomResource {
  constructor(name, args, opts) {
    super("pulumi-nodejs:dynamic/floor:Alert", name, { ...args, __provider }, opts);
  }
};
