// An alert that does nothing but keep as much state as the service's does: what the engine and the SDK alone cost.
const pulumi = require("@pulumi/pulumi");

const __provider = 'exports.handler=()=>require("./floorHost.js").Alert';

exports.Alert = class extends pulumi.CustomResource {
  constructor(name, args, opts) {
    super("pulumi-nodejs:dynamic/floor:Alert", name, { ...args, __provider }, opts);
  }
};
