/**
 * The main module of the archive's program. It runs the plugin's bundle with the code that V8 had compiled when the archive was built,
 * which takes a third less time than to compile it at each start.
 */
const { getAsset, getRawAsset, isSea } = require("node:sea");
const { Script } = require("node:vm");

/**
 * @param {string} bundle a function of what a module sees
 * @param {Buffer} [cachedData] code of an earlier run; V8 compiles anew if it was made by another version
 */
exports.run = (bundle, cachedData) => {
  const script = new Script(bundle, { filename: "plugin.js", cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, process.execPath);
  return script;
};

if (isSea())
  exports.run(getAsset("bundle", "utf8"), Buffer.from(/** @type {ArrayBuffer} */ (getRawAsset("code"))));
