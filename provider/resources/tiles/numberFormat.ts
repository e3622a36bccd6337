import { enums } from "../../api/enums.golden";
import { oneOf } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";

const prefixed = (units: string) => ["kibi", "mebi", "gibi", "tebi", "pebi"].map((prefix) => prefix + units);
const decimal = (units: string) => ["kilo", "mega", "giga", "tera", "peta"].map((prefix) => prefix + units);

const numericUnits = [
  ...["bytes_iec", "bytes_si", "bits_iec", "bits_si", ...prefixed("bytes"), ...decimal("bytes")],
  ...["bytes_sec_iec", "bytes_sec_si", "bits_sec_iec", "bits_sec_si", "packets_sec"],
  ...[...prefixed("bytes_sec"), ...decimal("bytes_sec"), ...prefixed("bits_sec"), ...decimal("bits_sec")],
  ...["cps", "ops", "rps", "reads_sec", "wps", "iops", "cpm", "opm", "rpm_reads", "wpm"],
];

const schema = Type.Object({
  /** The kind of number format. `byte` is an older form of `number` with the unit `bytes_iec`. */
  output: oneOf(enums.numberOutput),
  /**
   * Unit in which a number is shown as an amount of data, a data rate or a throughput, such as `bytes_iec`, `megabits_sec` or
   * `rps`.
   */
  numericUnit: Type.Optional(
    Type.Unsafe<"bytes_iec" | "bytes_si" | "bytes_sec_iec" | "bytes_sec_si" | "ops" | "rps" | (string & {})>({
      type: "string",
      enum: numericUnits,
      rule: "a unit such as bytes_iec, megabits_sec or rps",
    }),
  ),
  /** Digits after the decimal point in shown numbers. */
  mantissa: Type.Optional(Type.Integer()),
  /** Whether shown numbers have separators between thousands. */
  thousandSeparated: Type.Optional(Type.Boolean()),
  /** Whether shown numbers are abbreviated if they are large, such as 1.2m. */
  average: Type.Optional(Type.Boolean()),
  /** Whether numbers of bytes are shown with 1000 bytes per kilobyte. Default: false, which means 1024. */
  decimalBytes: Type.Optional(Type.Boolean()),
  /** Factor by which a value is multiplied before it is shown, such as 0.001 for milliseconds as seconds. */
  factor: Type.Optional(Type.Number()),
  /** Symbol of the currency in which numbers are shown, such as `€`. */
  currencySymbol: Type.Optional(Type.String()),
  /** Text that is shown after each number, such as `ms`. */
  unit: Type.Optional(Type.String()),
});

/** The format in which a chart or table shows a number. */
export interface NumberFormat extends Static<typeof schema> {}

export const numberFormat = Type.Unsafe<NumberFormat>(schema);
