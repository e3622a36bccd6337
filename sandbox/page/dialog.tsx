import { createContext } from "preact";
import { useContext, useEffect, useId, useRef, useState } from "preact/hooks";

/** Something that a person can change in a form. */
export interface Field {
  name: string;
  label: string;
  kind: "text" | "number" | "checkbox" | "select";
  value: string | number | boolean;
  /** Of a select; the label is the value, unless it is given. */
  options?: readonly (string | Option)[];
  min?: number;
  max?: number;
  step?: number | "any";
  required?: boolean;
}

interface Option {
  value: string;
  label: string;
}

/** What was entered; "" for a number that was not. */
export type FieldValues = Record<string, string | number | boolean>;

/** A form in front of the page. */
export interface Form {
  title: string;
  /** What there is to know before one changes something. */
  note?: string;
  fields: Field[];
  /** Changes it. What it throws is shown, and the form stays. */
  save?(values: FieldValues): Promise<void>;
  /** What takes the object away; it is asked for twice. */
  removal?: { label: string; question: string; run(): Promise<void> };
}

/** Opens a form. */
export const OpenForm = createContext<(form: Form) => void>(() => undefined);

export const useOpenForm = () => useContext(OpenForm);

/** A form as a dialog: Escape closes it, and the focus goes back to where it was. */
export function FormDialog({ form, onClose }: { form: Form; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();

  const run = async (action: () => Promise<void>) => {
    setProblem("");
    setBusy(true);
    try {
      await action();
      close();
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    run(async () =>
      form.save?.(Object.fromEntries(form.fields.map((field) => [field.name, enteredIn(field, data)]))),
    );
  };

  const { removal, save } = form;
  return (
    <dialog ref={dialog} aria-labelledby={title} onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id={title}>{form.title}</h2>
        {form.note && <p class="muted">{form.note}</p>}
        <div class="fields">
          {form.fields.map((field) => (
            <FieldInput key={field.name} field={field} />
          ))}
        </div>
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {isAsking && removal ? (
          <div class="actions">
            <p>{removal.question}</p>
            <button type="button" class="danger" disabled={isBusy} onClick={() => run(removal.run)}>
              {removal.label}
            </button>
            <button type="button" onClick={() => setAsking(false)}>
              Keep
            </button>
          </div>
        ) : (
          <div class="actions">
            {save && (
              <button type="submit" class="primary" disabled={isBusy}>
                Save
              </button>
            )}
            <button type="button" onClick={close}>
              Cancel
            </button>
            {removal && (
              <button type="button" class="danger aside" onClick={() => setAsking(true)}>
                {removal.label} …
              </button>
            )}
          </div>
        )}
      </form>
    </dialog>
  );
}

function FieldInput({ field }: { field: Field }) {
  const { name, label, kind, value, options = [], min, max, step, required = kind !== "text" } = field;
  const id = useId();
  if (kind === "checkbox") {
    return (
      <label class="check">
        <input type="checkbox" name={name} defaultChecked={value === true} /> {label}
      </label>
    );
  }
  return (
    <p class="field">
      <label for={id}>{label}</label>
      {kind === "select" ? (
        <select id={id} name={name}>
          {optionsOf(options, String(value)).map((option) => (
            <option key={option.value} value={option.value} selected={option.value === value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : kind === "number" ? (
        <input
          id={id}
          name={name}
          type="number"
          defaultValue={String(value)}
          {...{ min, max, step, required }}
        />
      ) : (
        <input id={id} name={name} type="text" defaultValue={String(value)} required={required} />
      )}
    </p>
  );
}

function enteredIn({ name, kind }: Field, data: FormData): string | number | boolean {
  if (kind === "checkbox") return data.has(name);
  const text = String(data.get(name) ?? "");
  return kind === "number" && text !== "" ? Number(text) : text;
}

/** Also one for the present value, if it is none of the usual ones. */
function optionsOf(options: readonly (string | Option)[], value: string): Option[] {
  const all = options.map((option) =>
    typeof option === "string" ? { value: option, label: option } : option,
  );
  return all.some((option) => option.value === value) ? all : [...all, { value, label: value }];
}
