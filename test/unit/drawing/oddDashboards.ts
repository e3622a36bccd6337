import fc from "fast-check";

const odd = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string(),
  fc.double(),
  fc.constantFrom(null, undefined, "<svg onload=x>", "\u202E", "]]>", "\uD800", "constructor"),
);
const tile = fc.record(
  {
    id: odd,
    name: odd,
    x: fc.oneof(fc.integer({ min: 0, max: 23 }), fc.double(), odd),
    y: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.double(), odd),
    w: fc.oneof(fc.integer({ min: 1, max: 24 }), fc.double(), odd),
    h: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.double(), odd),
    asRatio: fc.boolean(),
    series: fc.array(
      fc.record({
        type: fc.oneof(fc.constantFrom("time", "number", "table", "histogram"), odd),
        aggFn: fc.oneof(fc.constantFrom("count", "quantile"), odd),
        level: odd,
        where: odd,
        whereLanguage: odd,
        groupBy: fc.array(odd, { maxLength: 2 }),
      }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
);
const dashboard = fc.record({
  name: odd,
  tags: fc.array(odd, { maxLength: 3 }),
  tiles: fc.array(tile, { maxLength: 5 }),
});
const alert = fc.record({
  tileId: odd,
  name: odd,
  threshold: fc.oneof(fc.double(), odd),
  thresholdMax: odd,
  thresholdType: fc.oneof(fc.constantFrom("above", "below", "between"), odd),
  interval: fc.oneof(fc.constant("5m"), odd),
});
const values = fc.record({
  from: fc.constant(1_750_000_000_000),
  until: fc.integer({ min: 1_750_000_000_001, max: 1_780_000_000_000 }),
  bucket: fc.constantFrom(undefined, 300_000),
  points: fc.array(
    fc.record({
      tsBucket: fc.integer({ min: 1_749_990_000_000, max: 1_780_000_000_000 }),
      values: fc.array(fc.oneof(fc.double(), fc.constant(null)), { maxLength: 3 }),
      group: fc.array(fc.string({ unit: "binary" }), { maxLength: 2 }),
    }),
    { maxLength: 12 },
  ),
});

/** Generates random answers of a service: any dashboard, alerts, and values of tiles or none. */
export const oddDashboards = fc.tuple(dashboard, fc.array(alert, { maxLength: 3 }), fc.option(values));
