import type { ServerResponse } from "node:http";
import type { Shared } from "../sandbox";
import { type NewRequests, viewOf, viewOfRequest } from "./view";

/** Milliseconds within which changes are sent together. */
const pause = 100;

/** Milliseconds after which a change is seen that no request has made, such as one by a test in the store. */
const look = 1000;

/** A page that is opened gets at most this many of the newest requests, and so does one that cannot keep up. */
const mostRequests = 200;

interface Reader {
  response: ServerResponse;
  /** Number of the last request that it was sent. */
  last: number;
  view: string;
}

/** Tells open pages what the sandbox holds and what it was asked, as server-sent events `view` and `requests`. */
export class Feed {
  private readonly readers = new Set<Reader>();
  private soon: NodeJS.Timeout | undefined;
  private readonly looking: NodeJS.Timeout;

  constructor(private readonly shared: Shared) {
    this.looking = setInterval(() => this.flush(), look).unref();
  }

  /** @param last number of the last request that the page has had, as the browser says when it connects again */
  add(response: ServerResponse, last: number): void {
    const reader: Reader = { response, last, view: "" };
    this.readers.add(reader);
    response.on("close", () => this.readers.delete(reader));
    response.on("drain", () => this.changed());
    // The first event says that the journal is empty, where it is.
    this.send(reader, JSON.stringify(viewOf(this.shared)), true);
  }

  /** Sends soon what is new. */
  changed(): void {
    if (this.readers.size === 0) return;
    this.soon ??= setTimeout(() => this.flush(), pause).unref();
  }

  close(): void {
    clearInterval(this.looking);
    clearTimeout(this.soon);
    for (const { response } of this.readers) response.end();
  }

  private flush(): void {
    clearTimeout(this.soon);
    this.soon = undefined;
    if (this.readers.size === 0) return;
    const view = JSON.stringify(viewOf(this.shared));
    for (const reader of this.readers) this.send(reader, view, false);
  }

  /** Nothing is kept for a reader that is slow: it gets the newest when it is ready again. */
  private send(reader: Reader, view: string, isFirst: boolean): void {
    const { response } = reader;
    if (response.writableNeedDrain) return;
    if (reader.view !== view) response.write(`event: view\ndata: ${view}\n\n`);
    reader.view = view;
    const { entries, lastNumber } = this.shared.journal;
    const afresh = reader.last > lastNumber || (isFirst && reader.last === 0);
    if (afresh) reader.last = 0;
    const found = entries.slice(-mostRequests).filter(({ number }) => number > reader.last);
    reader.last = lastNumber;
    if (found.length === 0 && !afresh) return;
    const news: NewRequests = { afresh, requests: found.map(viewOfRequest) };
    response.write(`id: ${lastNumber}\nevent: requests\ndata: ${JSON.stringify(news)}\n\n`);
  }
}
