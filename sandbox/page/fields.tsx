import { useId } from "preact/hooks";

export interface Field {
  name: string;
  label: string;
  kind: "text" | "area" | "number" | "select";
  value: string | number;
  /** The options of a select field. An option without a label shows its value. */
  options?: readonly (string | Option)[];
  min?: number;
  max?: number;
  step?: number | "any";
  required?: boolean;
  hint?: string;
  /** Whether the field belongs to the section of the form for rarely used fields. */
  isAdvanced?: boolean;
}

interface Option {
  value: string;
  label: string;
}

export function choice(
  name: string,
  label: string,
  options: readonly (string | Option)[],
  value?: string,
): Field {
  const [first = ""] = options;
  return {
    name,
    label,
    kind: "select",
    options,
    value: value ?? (typeof first === "string" ? first : first.value),
  };
}

/** The values that a user entered into a form of the console; an empty number is "". */
export type FieldValues = Record<string, string | number>;

export function FieldInput({ field }: { field: Field }) {
  const { name, label, kind, value, options = [], min, max, step, required = kind !== "text" } = field;
  const id = useId();
  const hint = field.hint && `${id}-hint`;
  const shared = { id, name, "aria-describedby": hint };
  const initial = { defaultValue: String(value), required };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {kind === "select" ? (
        <select {...shared}>
          {options
            .map((option) => (typeof option === "string" ? { value: option, label: option } : option))
            .map((option) => (
              <option key={option.value} value={option.value} selected={option.value === value}>
                {option.label}
              </option>
            ))}
        </select>
      ) : kind === "number" ? (
        <input type="number" {...shared} {...initial} {...{ min, max, step }} />
      ) : kind === "area" ? (
        <textarea rows={16} spellcheck={false} {...shared} {...initial} />
      ) : (
        <input type="text" {...shared} {...initial} />
      )}
      {hint && (
        <p id={hint} class="muted hint">
          {field.hint}
        </p>
      )}
    </div>
  );
}

export function valuesIn(fields: readonly Field[], data: FormData): FieldValues {
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      // Browsers end the lines of a form's texts with CR LF, and API clients end them with LF.
      const text = String(data.get(name) ?? "").replaceAll("\r\n", "\n");
      return [name, kind === "number" && text !== "" ? Number(text) : text];
    }),
  );
}
