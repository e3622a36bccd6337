// Declares the alerts as a generated SDK for the resource plugin does.
const pulumi = require("@pulumi/pulumi");

exports.Alert = class extends pulumi.CustomResource {
  constructor(name, args, opts) {
    super("pipestack:index:Alert", name, args, opts);
  }
};
