// One provider object per type, as in Pulumi's documentation.
const { resources } = require("./handwrittenResources");

const shared = (Provider) => {
  const provider = new Provider();
  return () => provider;
};

module.exports = resources(shared);
