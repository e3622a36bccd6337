// The program in TypeScript, or what `tsc` makes of it.
require(process.env.BENCH_MAIN === "compiled" ? "./compiled.js" : "./index.ts");
