import { useEffect, useState } from "preact/hooks";
import type { ConsoleRequest, ConsoleSnapshot, NewRequests } from "../http/console/snapshot";

/** The console's page keeps at most this number of the newest requests. */
const mostRequests = 500;

/** The state of the sandbox as the console's page knows it from the events that the server sends. */
export interface ConsoleState {
  /** The sandbox's records; absent until the console's page has got the first event. */
  snapshot?: ConsoleSnapshot;
  requests: ConsoleRequest[];
  isConnected: boolean;
}

/** Receives the events of the sandbox for the console's page, and reconnects if the connection is lost. */
export function useFeed(): ConsoleState {
  const [feed, setFeed] = useState<ConsoleState>({ requests: [], isConnected: false });
  useEffect(() => {
    let source: EventSource;
    let retry: ReturnType<typeof setTimeout>;
    const update = (change: (feed: ConsoleState) => Partial<ConsoleState>) =>
      setFeed((before) => ({ ...before, ...change(before) }));
    const connect = () => {
      source = new EventSource("/events");
      source.addEventListener("open", () => update(() => ({ isConnected: true })));
      source.addEventListener("snapshot", ({ data }) => update(() => ({ snapshot: JSON.parse(data) })));
      source.addEventListener("requests", ({ data }) =>
        update(({ requests }) => {
          const news: NewRequests = JSON.parse(data);
          const older = news.isReset ? [] : requests;
          return { requests: [...news.requests.reverse(), ...older].slice(0, mostRequests) };
        }),
      );
      source.addEventListener("error", () => {
        update(() => ({ isConnected: false }));
        // The browser reconnects to the sandbox's events by itself, unless the server refused the connection.
        if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, 2000);
      });
    };
    connect();
    return () => {
      clearTimeout(retry);
      source.close();
    };
  }, []);
  return feed;
}
