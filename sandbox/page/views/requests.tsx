import { useEffect, useRef, useState } from "preact/hooks";
import type { ConsoleRequest } from "../../src/console/view";
import type { ViewProps } from "../app";
import { timeOfDay } from "../format";
import { Empty } from "../table";

/** What programs have asked, newest first, as it comes. */
export function Requests({ requests }: ViewProps) {
  const [onlyChanges, setOnlyChanges] = useState(false);
  const shown = requests.filter(({ method }) => !onlyChanges || method !== "GET");
  return (
    <>
      <h1>Requests</h1>
      <div class="tools">
        <label class="check">
          <input
            type="checkbox"
            checked={onlyChanges}
            onChange={(event) => setOnlyChanges(event.currentTarget.checked)}
          />{" "}
          Only what changes something
        </label>
        <Announcement requests={requests} />
      </div>
      {shown.length === 0 ? (
        <Empty>{onlyChanges ? "No request has changed anything yet." : "Nothing has been asked yet."}</Empty>
      ) : (
        <ol class="journal" aria-label="Requests, newest first">
          {shown.map((request) => (
            <RequestItem key={request.number} request={request} />
          ))}
        </ol>
      )}
    </>
  );
}

function RequestItem({ request }: { request: ConsoleRequest }) {
  const { number, time, status, method, path, api, body, fault } = request;
  const line = (
    <>
      <time dateTime={time}>{timeOfDay(time)}</time>
      <Status status={status} />
      <span class="method">{method}</span>
      <span class="path" title={path}>
        {shortPath(path)} {fault && <span class="tag">fault {fault}</span>}
      </span>
      <span class="muted api">{api}</span>
    </>
  );
  return (
    <li id={`request-${number}`}>
      {body === undefined ? (
        <p>{line}</p>
      ) : (
        <details>
          <summary>{line}</summary>
          <pre>{body}</pre>
        </details>
      )}
    </li>
  );
}

/** The status of an answer; a dash where the connection was broken before there was one. */
export function Status({ status }: { status: number }) {
  if (status === 0) return <span class="bad">–</span>;
  return <span class={status < 400 ? "good" : "bad"}>{status}</span>;
}

/** Says how many have come, at most every few seconds, so that a screen reader is not kept talking. */
function Announcement({ requests }: { requests: ConsoleRequest[] }) {
  const newest = requests[0]?.number ?? 0;
  const [said, setSaid] = useState({ number: newest, text: "" });
  const latest = useRef(newest);
  latest.current = newest;
  useEffect(() => {
    const timer = setInterval(() => {
      setSaid((before) => {
        const count = latest.current - before.number;
        if (count === 0) return before;
        return {
          number: latest.current,
          text: count > 0 ? `${count} new ${count === 1 ? "request" : "requests"}` : "",
        };
      });
    }, 3000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="muted" aria-live="polite">
      {said.text}
    </p>
  );
}

/** A path without what is the same in most of them, and with ids cut to what tells them apart. */
export function shortPath(path: string): string {
  return path
    .replace(/^\/v1\/organizations\/[^/]+/, "")
    .replace(/^\/services\/[^/]+(?=\/)/, "")
    .replace(/([0-9a-f]{6})[0-9a-f-]{18,30}/g, "$1…");
}
