// Declares all alerts in a single resource, an `AlertSet`.
const pulumi = require("@pulumi/pulumi");

exports.AlertSet = class extends pulumi.CustomResource {
  constructor(name, args, opts) {
    super("pipestack:index:AlertSet", name, { ids: undefined, ...args }, opts);
  }
};
