import { oneOf } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";

const prefixed = (units: string) => ["kibi", "mebi", "gibi", "tebi", "pebi"].map((prefix) => prefix + units);
const decimal = (units: string) => ["kilo", "mega", "giga", "tera", "peta"].map((prefix) => prefix + units);

/** Units of amounts of data, of data rates and of throughput. */
const numericUnits = [
  ...["bytes_iec", "bytes_si", "bits_iec", "bits_si", ...prefixed("bytes"), ...decimal("bytes")],
  ...["bytes_sec_iec", "bytes_sec_si", "bits_sec_iec", "bits_sec_si", "packets_sec"],
  ...[...prefixed("bytes_sec"), ...decimal("bytes_sec"), ...prefixed("bits_sec"), ...decimal("bits_sec")],
  ...["cps", "ops", "rps", "reads_sec", "wps", "iops", "cpm", "opm", "rpm_reads", "wpm"],
];

const schema = Type.Object({
  /** The kind of number. `byte` is an older way to say `number` with the unit `bytes_iec`. */
  output: oneOf(["currency", "percent", "byte", "time", "duration", "number", "data_rate", "throughput"]),
  /** Unit of an amount of data, a data rate or a throughput, such as `bytes_iec`, `megabits_sec` or `rps`. */
  numericUnit: Type.Optional(
    Type.Unsafe<"bytes_iec" | "bytes_si" | "bytes_sec_iec" | "bytes_sec_si" | "ops" | "rps" | (string & {})>({
      type: "string",
      enum: numericUnits,
      rule: "a unit such as bytes_iec, megabits_sec or rps",
    }),
  ),
  /** Digits after the decimal point. */
  mantissa: Type.Optional(Type.Integer()),
  /** Whether thousands are separated. */
  thousandSeparated: Type.Optional(Type.Boolean()),
  /** Whether large numbers are abbreviated, such as 1.2m. */
  average: Type.Optional(Type.Boolean()),
  /** Whether a kilobyte has 1000 bytes. Default: 1024. */
  decimalBytes: Type.Optional(Type.Boolean()),
  /** Number that the value is multiplied by before it is shown, such as 0.001 for milliseconds as seconds. */
  factor: Type.Optional(Type.Number()),
  /** Symbol of the currency, such as `€`. */
  currencySymbol: Type.Optional(Type.String()),
  /** Text after the number. */
  unit: Type.Optional(Type.String()),
});

/** How a number is shown. */
export interface NumberFormat extends Static<typeof schema> {}

export const numberFormat = Type.Unsafe<NumberFormat>(schema);
