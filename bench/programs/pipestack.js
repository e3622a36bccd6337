module.exports = require("pipestack");
