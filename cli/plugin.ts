#!/usr/bin/env node
/**
 * The program pulumi-resource-pipestack. It runs the plugin's bundle, the modules from `pluginServer.ts` on, with the code that
 * V8 compiled in an earlier run.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getRawAsset, isSea } from "node:sea";
import { CodeCache, runBundle } from "./codeCache";

if (isSea()) {
  const asset = (name: string) => Buffer.from(getRawAsset(name) as ArrayBuffer);
  runBundle(asset("bundle").toString("latin1"), process.execPath, asset("code"));
} else {
  const path = join(__dirname, "pluginBundle.js");
  const bundle = readFileSync(path, "latin1");
  const cache = new CodeCache(bundle);
  const script = runBundle(bundle, path, cache.read());
  if (script.cachedDataRejected !== false) cache.writeAtTheEnd(script);
}
