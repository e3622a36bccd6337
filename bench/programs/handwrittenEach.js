// A provider object per resource, as many programs have it: `super(new AlertProvider(), name, …)`.
const { alert, AlertProvider } = require("./handwrittenAlert");

exports.Alert = alert(() => new AlertProvider());
