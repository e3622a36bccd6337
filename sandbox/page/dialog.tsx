import { createContext } from "preact";
import { useContext, useEffect, useId, useRef, useState } from "preact/hooks";
import type { ConsoleSnapshot } from "../http/console/snapshot";
import { type Field, FieldInput, type FieldValues, valuesIn } from "./fields";

export interface Form {
  title: string;
  /** The fields of the form in the console, which may depend on the values entered so far. */
  fields: readonly Field[] | ((entered: FieldValues) => readonly Field[]);
  /**
   * Saves the values entered into the form. If it throws, the form shows the error and stays open.
   * @param before the values that the form showed when the user began to enter others
   */
  save?(values: FieldValues, before: FieldValues): Promise<void>;
  /** Deletes the object that the form shows, after the user has confirmed it. */
  removal?: { label: string; question: string; run(): Promise<void> };
}

/**
 * Makes a form of the console from the current records. The console calls it again while the form is open: fields that nobody
 * has touched show changes by others, so that saving does not undo these.
 */
export type FormOf = (snapshot: ConsoleSnapshot) => Form;

export const OpenForm = createContext<(formOf: FormOf) => void>(() => undefined);

export const useOpenForm = () => useContext(OpenForm);

interface FormDialogProps {
  form: Form;
  onClose(): void;
  /** Called when the form of the console has saved or deleted an object, with a text for the user. */
  onDone(text: string): void;
}

/** Shows a form of the console as a dialog: Escape closes it and returns the focus. */
export function FormDialog({ form, onClose, onDone }: FormDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const [entered, setEntered] = useState<FieldValues>({});
  const [before, setBefore] = useState<FieldValues>();
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();

  const fields = typeof form.fields === "function" ? form.fields(entered) : form.fields;
  const read = (element: HTMLFormElement) => valuesIn(fields, new FormData(element));
  const run = async (action: () => Promise<void>, done: string) => {
    setFailure("");
    setBusy(true);
    try {
      await action();
      onDone(`${done}: ${form.title}`);
      close();
    } catch (error) {
      setFailure((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const values = read(event.currentTarget as HTMLFormElement);
    run(async () => form.save?.(values, before ?? values), "Saved");
  };

  const enter = (event: InputEvent) => {
    setBefore((first) => first ?? Object.fromEntries(fields.map(({ name, value }) => [name, value])));
    setEntered(read(event.currentTarget as HTMLFormElement));
  };

  const { removal, save } = form;
  const advanced = fields.filter(({ isAdvanced }) => isAdvanced);
  return (
    <dialog ref={dialog} aria-labelledby={title} onClose={onClose}>
      <form onSubmit={submit} onInput={enter}>
        <h2 id={title}>{form.title}</h2>
        <div class="fields">
          {fields
            .filter(({ isAdvanced }) => !isAdvanced)
            .map((field) => (
              <FieldInput key={field.name} field={field} />
            ))}
        </div>
        {advanced.length > 0 && (
          // The browser can only show the error of an invalid field if the section around the field is open.
          <details onInvalidCapture={({ currentTarget }) => (currentTarget.open = true)}>
            <summary>Advanced</summary>
            <div class="fields">
              {advanced.map((field) => (
                <FieldInput key={field.name} field={field} />
              ))}
            </div>
          </details>
        )}
        {failure && (
          <p class="problem" role="alert">
            {failure}
          </p>
        )}
        {isConfirming && removal ? (
          <div class="actions">
            <p>{removal.question}</p>
            <button
              type="button"
              class="danger"
              disabled={isBusy}
              onClick={() => run(removal.run, "Deleted")}
            >
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
