import { Broken } from "../ownHistories";
import { passwords } from "./program";

interface Message {
  readonly text: string;
  readonly at: number;
  /** Whether it is a warning or a failure, and not only tells how things go. */
  readonly isWarning: boolean;
}

/** What the user is told. No credential is. */
export class Messages {
  readonly #all: Message[] = [];

  /** @throws Broken for a text that shows a credential */
  note(text: string, isWarning: boolean): void {
    this.#all.push({ text, at: Date.now(), isWarning });
    for (const password of passwords)
      if (text.includes(password)) throw new Broken(`a message shows a credential: ${text}`);
  }

  /** Whether any message names an object. */
  name(id: string): boolean {
    return this.#all.some(({ text }) => text.includes(id));
  }

  /** Whether a warning or a failure since then is about an input of an object. */
  tell(id: string, about: string, since: number): boolean {
    const words = about === "state" ? /\b(state|Paused|Stopped)\b/ : new RegExp(`\\b${about}\\b`);
    // A pipe that is Completed takes nothing more.
    const late = /is Completed, and takes no change/;
    return this.#all.some(
      ({ text, at, isWarning }) =>
        isWarning && at >= since && text.includes(id) && (words.test(text) || late.test(text)),
    );
  }
}
