// One provider object for all resources of a type, as in Pulumi's documentation.
const { resources } = require("./handwrittenResources");

const shared = (Provider) => {
  const provider = new Provider();
  return () => provider;
};

module.exports = resources(shared);
