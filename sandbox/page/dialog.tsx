import { createContext } from "preact";
import { useContext, useEffect, useId, useRef, useState } from "preact/hooks";

/** A field of a form. */
export interface Field {
  name: string;
  label: string;
  kind: "text" | "number" | "checkbox" | "select";
  value: string | number | boolean;
  /** Of a select. Default label: the value. */
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

/** The entered values; "" for an empty number. */
export type FieldValues = Record<string, string | number | boolean>;

/** A form in a dialog. */
export interface Form {
  title: string;
  fields: Field[];
  /** If it throws, the form shows the error and stays open. */
  save?(values: FieldValues): Promise<void>;
  /** Deletes the object, after a confirmation. */
  removal?: { label: string; question: string; run(): Promise<void> };
}

/** Opens a form. */
export const OpenForm = createContext<(form: Form) => void>(() => undefined);

export const useOpenForm = () => useContext(OpenForm);

/** A form as a dialog: Escape closes it and returns the focus. */
export function FormDialog({ form, onClose }: { form: Form; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();

  const run = async (action: () => Promise<void>) => {
    setFailure("");
    setBusy(true);
    try {
      await action();
      close();
    } catch (error) {
      setFailure((error as Error).message);
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
        <div class="fields">
          {form.fields.map((field) => (
            <FieldInput key={field.name} field={field} />
          ))}
        </div>
        {failure && (
          <p class="problem" role="alert">
            {failure}
          </p>
        )}
        {isConfirming && removal ? (
          <div class="actions">
            <p>{removal.question}</p>
            <button type="button" class="danger" disabled={isBusy} onClick={() => run(removal.run)}>
              {removal.label}
            </button>
            <button type="button" onClick={() => setConfirming(false)}>
              Cancel
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
              <button type="button" class="danger aside" onClick={() => setConfirming(true)}>
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

/** Includes the current value even if it is not among the options. */
function optionsOf(options: readonly (string | Option)[], value: string): Option[] {
  const all = options.map((option) =>
    typeof option === "string" ? { value: option, label: option } : option,
  );
  return all.some((option) => option.value === value) ? all : [...all, { value, label: value }];
}
