/** Profiles this process and leaves the profile in the folder BENCH_PROFILES: --cpu-prof is not allowed in NODE_OPTIONS. */
const { writeFileSync } = require("node:fs");
const { Session } = require("node:inspector");
const { join } = require("node:path");

module.exports = (role) => {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: 200 });
  session.post("Profiler.start");
  process.on("exit", () => {
    session.post("Profiler.stop", (_error, { profile }) => {
      const path = join(process.env.BENCH_PROFILES, `${role}-${process.pid}.cpuprofile`);
      writeFileSync(path, JSON.stringify(profile));
    });
  });
};
