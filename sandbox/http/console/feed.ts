import type { ServerResponse } from "node:http";
import type { Model } from "../../core/model";
import { describeRequest, type NewRequests, snapshotOf } from "./snapshot";

/** Milliseconds for which the sandbox collects changes before it sends them to open pages of the console. */
const pause = 100;

/** Milliseconds between checks for changes of records that no request made, such as those by a test in the store. */
const pollInterval = 1000;

/** The number of newest requests that a page of the console gets at most when it opens or falls behind. */
const mostRequests = 200;

interface Reader {
  response: ServerResponse;
  /** The number of the last request that this page of the console has got. */
  last: number;
  /** The last snapshot of the sandbox's records that this page of the console has got. */
  snapshot: string;
}

/** Sends the sandbox's records and requests to open pages of the console, as server-sent events `snapshot` and `requests`. */
export class Feed {
  private readonly readers = new Set<Reader>();
  private soon: NodeJS.Timeout | undefined;
  private readonly polling: NodeJS.Timeout;

  constructor(private readonly model: Model) {
    this.polling = setInterval(() => this.flush(), pollInterval).unref();
  }

  /**
   * Adds an open page of the console, and sends it the first events.
   *
   * @param last number of the last request that the page got, which the browser sends when it reconnects
   */
  add(response: ServerResponse, last: number): void {
    const reader: Reader = { response, last, snapshot: "" };
    this.readers.add(reader);
    response.on("close", () => this.readers.delete(reader));
    response.on("drain", () => this.changed());
    // The console's page gets a first event `requests` even if the journal is empty, so that the page learns this.
    this.send(reader, JSON.stringify(snapshotOf(this.model)), true);
  }

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

  /**
   * Sends an event to one page of the console. A slow page gets no backlog, but the newest records once it can receive again.
   */
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
