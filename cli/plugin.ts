#!/usr/bin/env node
/**
 * The program pulumi-resource-pipestack. It runs the plugin's bundle, the modules from `pluginServer.ts` on, with the code that
 * V8 compiled in an earlier run.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getAsset, isSea } from "node:sea";
import { CodeCache, runBundle } from "./codeCache";

if (isSea()) runBundle(getAsset("bundle", "utf8"), process.execPath, Buffer.from(getAsset("code")));
else {
  const path = join(__dirname, "pluginBundle.js");
  const bundle = readFileSync(path, "utf8");
  const cache = new CodeCache(bundle);
  const script = runBundle(bundle, path, cache.read());
  if (script.cachedDataRejected !== false) cache.writeAtTheEnd(script);
}
