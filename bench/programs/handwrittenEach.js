// A provider object per resource, as many programs have it: `super(new AlertProvider(), name, …)`.
const { resources } = require("./handwrittenResources");

module.exports = resources((Provider) => () => new Provider());
