/**
 * Loaded into every node process of the CLI (NODE_OPTIONS). The program and the host of dynamic providers leave their
 * figures in a file of the folder BENCH_RECORDS: at their end, and now and then before, since Windows ends the host
 * without a word.
 */
const { renameSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const everyMilliseconds = 1000;

const script = process.argv[1] ?? "";
const role = /pulumi-resource-pulumi-nodejs|dynamic-provider/.test(script)
  ? "host"
  : /[\\/]cmd[\\/]run/.test(script)
    ? "program"
    : undefined;

if (role) {
  // Language hosts before 3.76 know no `typescript: false` in Pulumi.yaml.
  if (process.env.BENCH_TYPESCRIPT) process.env.PULUMI_NODEJS_TYPESCRIPT = process.env.BENCH_TYPESCRIPT;
  const record = () => {
    const cpu = process.cpuUsage();
    const figures = {
      role,
      startedAt: performance.timeOrigin,
      endedAt: performance.timeOrigin + performance.now(),
      cpuSeconds: (cpu.user + cpu.system) / 1e6,
      peakMegabytes: process.resourceUsage().maxRSS / 1024,
    };
    const path = join(process.env.BENCH_RECORDS, `${role}-${process.pid}.json`);
    writeFileSync(`${path}.part`, JSON.stringify(figures));
    renameSync(`${path}.part`, path);
  };
  setInterval(record, everyMilliseconds).unref();
  process.on("exit", record);
  process.on("SIGINT", () => process.exit(130));
  if (process.env.BENCH_PROFILES) require("./profiler.cjs")(role);
}
