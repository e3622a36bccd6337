// A provider object for each resource, as many programs do it: `super(new AlertProvider(), name, …)`.
const { resources } = require("./handwrittenResources");

module.exports = resources((Provider) => () => new Provider());
