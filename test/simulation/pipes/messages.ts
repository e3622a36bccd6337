import { Broken } from "../ownHistories";
import { passwords } from "./program";

interface Message {
  readonly text: string;
  readonly at: number;
  readonly isWarning: boolean;
}

/** All messages to the user of the simulated pipes. The class checks that none of them shows a credential. */
export class Messages {
  readonly #all: Message[] = [];

  note(text: string, isWarning: boolean): void {
    this.#all.push({ text, at: Date.now(), isWarning });
    for (const password of passwords)
      if (text.includes(password)) throw new Broken(`a message shows a credential: ${text}`);
  }

  /** Returns whether any message to the simulated user contains the id of an object. */
  name(id: string): boolean {
    return this.#all.some(({ text }) => text.includes(id));
  }

  /** Returns whether a warning or failure since a moment names both an object and the given input. */
  tell(id: string, about: string, since: number): boolean {
    const words = about === "state" ? /\b(state|Paused|Stopped)\b/ : new RegExp(`\\b${about}\\b`);
    // A pipe in the state Completed accepts no change. One message of the provider says so for all inputs.
    const late = /is Completed, and takes no change/;
    return this.#all.some(
      ({ text, at, isWarning }) =>
        isWarning && at >= since && text.includes(id) && (words.test(text) || late.test(text)),
    );
  }
}
