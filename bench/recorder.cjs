/**
 * Loaded into every Node.js process that the CLI starts (NODE_OPTIONS). What runs the provider, the dynamic host or the plugin, writes its peak memory
 * to the folder BENCH_RECORDS: when it ends, and every second before that, because Windows kills it without notice.
 */
const { renameSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const everyMilliseconds = 1000;

const script = process.argv[1] ?? "";

const isHost = /pulumi-resource-(pulumi-nodejs|pipestack)|dynamic-provider/.test(script);

// Language hosts before 3.76 ignore `typescript: false` in Pulumi.yaml.
if (isHost || /[\\/]cmd[\\/]run/.test(script)) process.env.PULUMI_NODEJS_TYPESCRIPT = "false";

if (isHost) {
  const record = () => {
    const path = join(process.env.BENCH_RECORDS, `${process.pid}.json`);
    writeFileSync(`${path}.part`, JSON.stringify({ peakMegabytes: process.resourceUsage().maxRSS / 1024 }));
    renameSync(`${path}.part`, path);
  };
  setInterval(record, everyMilliseconds).unref();
  process.on("exit", record);
  process.on("SIGINT", () => process.exit(130));
}
