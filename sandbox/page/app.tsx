import type { ComponentType } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { ConsoleRequest } from "../http/console/snapshot";
import { FormDialog, type FormOf, OpenForm } from "./dialog";
import { useFeed } from "./feed";
import { timeOfDay } from "./format";
import { recordsOf } from "./records";
import { type PageRoute, useRoute } from "./route";
import { Empty } from "./table";
import type { ViewProps } from "./viewProps";
import { alerts } from "./views/alerts";
import { Dashboards } from "./views/dashboards";
import { Faults } from "./views/faults";
import { keys } from "./views/keys";
import { Pipes } from "./views/pipes";
import { Queries } from "./views/queries";
import { Requests, Status, shortPath } from "./views/requests";
import { searches } from "./views/searches";
import { Services } from "./views/services";
import { Sources } from "./views/sources";
import { webhooks } from "./views/webhooks";

interface Page {
  title: string;
  View: ComponentType<ViewProps>;
}

const views: Readonly<Record<string, Page>> = {
  services: { title: "Services", View: Services },
  dashboards: { title: "Dashboards", View: Dashboards },
  alerts: { title: "Alerts", View: recordsOf(alerts) },
  searches: { title: "Searches", View: recordsOf(searches) },
  sources: { title: "Sources", View: Sources },
  webhooks: { title: "Webhooks", View: recordsOf(webhooks) },
  queries: { title: "Queries", View: Queries },
  pipes: { title: "Pipes", View: Pipes },
  keys: { title: "Keys", View: recordsOf(keys) },
  requests: { title: "Requests", View: Requests },
  faults: { title: "Faults", View: Faults },
};

const unknown: Page = { title: "Nothing here", View: Unknown };

/** Finds the view of the console for an address. Of all objects, only dashboards have addresses. */
function pageAt({ view, id }: PageRoute): Page {
  return (Object.hasOwn(views, view) && (id === "" || view === "dashboards") && views[view]) || unknown;
}

const noticeTime = 10_000;

export function App() {
  const { snapshot, requests, isConnected } = useFeed();
  const route = useRoute();
  const [selected, setSelected] = useState<string>();
  const [opened, setOpened] = useState<{ readonly formOf: FormOf }>();
  const [notice, setNotice] = useState("");
  const { title, View } = pageAt(route);
  useHeadingFocus(route, title);
  useEffect(() => {
    const timer = setTimeout(() => setNotice(""), noticeTime);
    return () => clearTimeout(timer);
  }, [notice]);

  const open = useCallback((formOf: FormOf) => {
    setNotice("");
    setOpened({ formOf });
  }, []);

  const services = snapshot?.services ?? [];
  const serviceId = services.find(({ id }) => id === selected)?.id ?? services[0]?.id ?? "";
  return (
    <OpenForm.Provider value={open}>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <header class="bar">
        <p class="brand">{snapshot?.organization ?? "Sandbox"}</p>
        {services.length > 1 && (
          <label class="service">
            <span class="hidden">Service</span>
            <select value={serviceId} onChange={(event) => setSelected(event.currentTarget.value)}>
              {services.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <nav aria-label="Views">
          {Object.entries(views).map(([name, { title }]) => (
            <a key={name} href={`#/${name}`} aria-current={name === route.view ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        {snapshot ? <View {...{ snapshot, serviceId, route, requests }} /> : <Empty>Connecting …</Empty>}
      </main>
      <footer class="state-bar">
        <p role="status" class={isConnected ? undefined : "bad"}>
          <span class={isConnected ? "dot good" : "dot bad"} aria-hidden="true" />
          {isConnected ? "Live" : "Disconnected. Reconnecting …"}
        </p>
        <p role="status" class="notice" dir="auto">
          {notice}
        </p>
        {route.view !== "requests" && <LatestRequest request={requests[0]} />}
      </footer>
      {opened && snapshot && (
        <FormDialog form={opened.formOf(snapshot)} onClose={() => setOpened(undefined)} onDone={setNotice} />
      )}
    </OpenForm.Provider>
  );
}

function Unknown() {
  return (
    <>
      <h1>Nothing here</h1>
      <Empty>
        The console has no page at the address <code>{location.hash}</code>. <a href="#/services">Services</a>
      </Empty>
    </>
  );
}

/**
 * Shows the latest request in the console's status bar. Screen readers do not announce it, since that would interrupt their
 * user in the console's other views.
 */
function LatestRequest({ request }: { request: ConsoleRequest | undefined }) {
  if (!request) return <span class="muted">No requests yet</span>;
  return (
    <a class="latest" href="#/requests">
      <span class="time">{timeOfDay(request.time)}</span>
      <Status status={request.status} />
      <span class="call">
        {request.method} {shortPath(request.path)}
      </span>
    </a>
  );
}

/** Sets the title of the console's page, and moves the focus to the new view, so that screen readers announce it. */
function useHeadingFocus({ view, id }: PageRoute, title: string): void {
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${title} · Sandbox`;
    if (!isFirst.current) document.getElementById("main")?.focus();
    isFirst.current = false;
  }, [view, id, title]);
}
