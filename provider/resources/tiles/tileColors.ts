import { enums } from "../../api/enums.golden";
import { oneOf, when } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";

const colors = enums.chartColor;

/** A color of the palette that the server offers for tiles. */
export type TileColor = (typeof colors)[number];

export const tileColor = Type.Unsafe<TileColor>({ type: "string", enum: [...colors] });

const number = { type: "number", rule: "a number with this operator" };

const colorRuleSchema = Type.Object(
  {
    /** How the color rule compares the shown number with `value`. */
    operator: oneOf(enums.colorRuleOperator),
    /**
     * The value with which the color rule compares: a number; with `between` a list of the lower and the upper bound; with `eq`
     * and `neq` also a text.
     */
    value: Type.Unsafe<number | string | readonly number[]>({}),
    /** Color of the number if the color rule matches. */
    color: tileColor,
    /** Name of the color rule, at most 40 characters. */
    label: Type.Optional(Type.String({ maxLength: 40, rule: "a string of at most 40 characters" })),
  },
  {
    allOf: [
      ...enums.numericOperator.map((operator) =>
        when("operator", operator, { properties: { value: number } }),
      ),
      when("operator", "between", {
        properties: {
          value: {
            type: "array",
            items: { type: "number" },
            minItems: 2,
            maxItems: 2,
            rule: "a list of two numbers with this operator",
          },
        },
      }),
      ...enums.equalityOperator.map((operator) =>
        when("operator", operator, {
          properties: {
            value: {
              type: ["number", "string"],
              maxLength: 200,
              rule: "a number, or a text of at most 200 characters, with this operator",
            },
          },
        }),
      ),
    ],
  },
);

/** A rule that gives a number tile a color if the number matches a condition. */
export interface ColorRule extends Static<typeof colorRuleSchema> {}

export const colorRule = Type.Unsafe<ColorRule>(colorRuleSchema);

const backgroundChartSchema = Type.Object({
  /** Shape of the trend behind a number tile: a line or an area. */
  type: oneOf(enums.backgroundChart),
  /** Color of the trend behind a number tile. Default: the color of the number. */
  color: Type.Optional(tileColor),
});

/** The trend that a number tile shows behind its number. */
export interface BackgroundChart extends Static<typeof backgroundChartSchema> {}

export const backgroundChart = Type.Unsafe<BackgroundChart>(backgroundChartSchema);
