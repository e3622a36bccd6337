import { useEffect, useRef, useState } from "preact/hooks";
import type { ConsoleRequest, RequestBodies } from "../../http/console/snapshot";
import { timeOfDay } from "../format";
import { ask } from "../requests";
import { Empty } from "../table";
import type { ViewProps } from "../viewProps";

export function Requests({ requests }: ViewProps) {
  const [onlyChanges, setOnlyChanges] = useState(false);
  const visible = requests.filter(({ method }) => !onlyChanges || method !== "GET");
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
          Changes only
        </label>
        <Announcement requests={requests} />
      </div>
      {visible.length === 0 ? (
        <Empty>{onlyChanges ? "No changes yet." : "No requests yet."}</Empty>
      ) : (
        <ol class="journal" aria-label="Requests, newest first">
          {visible.map((request) => (
            <RequestItem key={request.number} request={request} />
          ))}
        </ol>
      )}
    </>
  );
}

function RequestItem({ request }: { request: ConsoleRequest }) {
  const { number, time, status, method, path, api, fault } = request;
  const [isOpen, setOpen] = useState(false);
  return (
    <li id={`request-${number}`}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <time dateTime={time}>{timeOfDay(time)}</time>
          <Status status={status} />
          <span class="method">{method}</span>
          <span class="path">
            {shortPath(path)} {fault && <span class="tag">fault {fault}</span>}
          </span>
          <span class="muted api">{api}</span>
        </summary>
        {isOpen && <RequestDetails request={request} />}
      </details>
    </li>
  );
}

/** Shows the whole path and the bodies of a request, which the console's page fetches when the user opens them. */
function RequestDetails({ request: { number, path, operation, status } }: { request: ConsoleRequest }) {
  const [bodies, setBodies] = useState<RequestBodies>();
  const [failure, setFailure] = useState("");
  useEffect(() => {
    ask<RequestBodies>("GET", `/requests/${number}`).then(setBodies, (error) => setFailure(error.message));
  }, [number]);
  const placeholder = status === 0 ? "The connection broke before one was sent." : "Without a body.";
  return (
    <dl class="exchange">
      <dt>Path</dt>
      <dd class="mono">{path}</dd>
      {operation && (
        <>
          <dt>Operation</dt>
          <dd>{operation}</dd>
        </>
      )}
      {bodies?.request !== undefined && (
        <>
          <dt>Request</dt>
          <dd>
            <pre>{bodies.request}</pre>
          </dd>
        </>
      )}
      <dt>Answer</dt>
      <dd>
        {bodies?.response === undefined ? (
          failure || (bodies ? placeholder : "…")
        ) : (
          <pre>{bodies.response}</pre>
        )}
      </dd>
    </dl>
  );
}

/** Shows the status of a response; a dash if the connection broke before the response. */
export function Status({ status }: { status: number }) {
  if (status === 0) return <span class="bad">–</span>;
  return <span class={status < 400 ? "good" : "bad"}>{status}</span>;
}

/** Announces the number of new requests to screen readers, at most every few seconds so as not to flood their user. */
function Announcement({ requests }: { requests: ConsoleRequest[] }) {
  const newest = requests[0]?.number ?? 0;
  const [announced, setAnnounced] = useState({ number: newest, text: "" });
  const latest = useRef(newest);
  latest.current = newest;
  useEffect(() => {
    const timer = setInterval(() => {
      setAnnounced((before) => {
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
      {announced.text}
    </p>
  );
}

/** Shortens the path of a request for the console's list: without the prefix that most paths share, and with shortened ids. */
export function shortPath(path: string): string {
  return path
    .replace(/^\/v1\/organizations\/[^/]+/, "")
    .replace(/^\/services\/[^/]+(?=\/)/, "")
    .replace(/([0-9a-f]{6})[0-9a-f-]{18,30}/g, "$1…");
}
