/**
 * Loaded into every Node.js process of a workspace (NODE_OPTIONS): sets the clock ahead by the milliseconds in LATER_CLOCK,
 * so that objects which a test has just made are old for the provider.
 */
const ahead = Number(process.env.LATER_CLOCK ?? 0);

if (ahead > 0) {
  const now = Date.now;
  const later = () => now() + ahead;
  globalThis.Date = new Proxy(Date, {
    construct: (target, values, self) =>
      Reflect.construct(target, values.length > 0 ? values : [later()], self),
    apply: (target) => new target(later()).toString(),
    get: (target, name) => (name === "now" ? later : Reflect.get(target, name)),
  });
}
