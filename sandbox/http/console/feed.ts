import type { ServerResponse } from "node:http";
import type { Model } from "../../core/model";
import { describeRequest, type NewRequests, snapshotOf } from "./snapshot";

/** Milliseconds for which changes are collected before they are sent. */
const pause = 100;

/** Milliseconds between looks for changes without a request, such as those that a test makes in the store. */
const pollInterval = 1000;

/** A page that opens or falls behind gets at most this many of the newest requests. */
const mostRequests = 200;

interface Reader {
  response: ServerResponse;
  /** Number of the last request that was sent. */
  last: number;
  /** The last snapshot that was sent. */
  snapshot: string;
}

/** Sends the records and the requests to open pages, as server-sent events `snapshot` and `requests`. */
export class Feed {
  private readonly readers = new Set<Reader>();
  private soon: NodeJS.Timeout | undefined;
  private readonly polling: NodeJS.Timeout;

  constructor(private readonly model: Model) {
    this.polling = setInterval(() => this.flush(), pollInterval).unref();
  }

  /** @param last number of the last request that the page got, which the browser sends when it reconnects */
  add(response: ServerResponse, last: number): void {
    const reader: Reader = { response, last, snapshot: "" };
    this.readers.add(reader);
    response.on("close", () => this.readers.delete(reader));
    response.on("drain", () => this.changed());
    // A first event follows even if the journal is empty: the page learns that it is.
    this.send(reader, JSON.stringify(snapshotOf(this.model)), true);
  }

  /** Sends news soon. */
  changed(): void {
    if (this.readers.size === 0) return;
    this.soon ??= setTimeout(() => this.flush(), pause).unref();
  }

  close(): void {
    clearInterval(this.polling);
    clearTimeout(this.soon);
    for (const { response } of this.readers) response.end();
  }

  private flush(): void {
    clearTimeout(this.soon);
    this.soon = undefined;
    if (this.readers.size === 0) return;
    const snapshot = JSON.stringify(snapshotOf(this.model));
    for (const reader of this.readers) this.send(reader, snapshot, false);
  }

  /** Nothing is buffered for a slow reader: it gets the newest once it is ready again. */
  private send(reader: Reader, snapshot: string, isFirst: boolean): void {
    const { response } = reader;
    if (response.writableNeedDrain) return;
    if (reader.snapshot !== snapshot) response.write(`event: snapshot\ndata: ${snapshot}\n\n`);
    reader.snapshot = snapshot;
    const { entries, lastNumber } = this.model.journal;
    const isReset = reader.last > lastNumber || (isFirst && reader.last === 0);
    if (isReset) reader.last = 0;
    const unread = entries.slice(-mostRequests).filter(({ number }) => number > reader.last);
    reader.last = lastNumber;
    if (unread.length === 0 && !isReset) return;
    const news: NewRequests = { isReset, requests: unread.map(describeRequest) };
    response.write(`id: ${lastNumber}\nevent: requests\ndata: ${JSON.stringify(news)}\n\n`);
  }
}
