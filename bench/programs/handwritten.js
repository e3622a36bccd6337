// One provider object for all alerts, as in Pulumi's documentation.
const { alert, AlertProvider } = require("./handwrittenAlert");

const provider = new AlertProvider();

exports.Alert = alert(() => provider);
