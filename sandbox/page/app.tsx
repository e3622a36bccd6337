import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ConsoleRequest } from "../src/console/snapshot";
import { type Form, FormDialog, OpenForm } from "./dialog";
import { useFeed } from "./feed";
import { timeOfDay } from "./format";
import { type Route, useRoute, type ViewName } from "./route";
import { Empty } from "./table";
import type { ViewProps } from "./viewProps";
import { Alerts } from "./views/alerts";
import { Dashboards } from "./views/dashboards";
import { Faults } from "./views/faults";
import { Keys } from "./views/keys";
import { Pipes } from "./views/pipes";
import { Requests, Status, shortPath } from "./views/requests";
import { Services } from "./views/services";

const views: Record<ViewName, { title: string; View: ComponentType<ViewProps> }> = {
  services: { title: "Services", View: Services },
  dashboards: { title: "Dashboards", View: Dashboards },
  alerts: { title: "Alerts", View: Alerts },
  pipes: { title: "Pipes", View: Pipes },
  keys: { title: "Keys", View: Keys },
  requests: { title: "Requests", View: Requests },
  faults: { title: "Faults", View: Faults },
};

/** The console. */
export function App() {
  const { snapshot, requests, isConnected } = useFeed();
  const route = useRoute();
  const [selected, setSelected] = useState<string>();
  const [form, setForm] = useState<Form>();
  const { title, View } = views[route.view];
  useHeadingFocus(route, title);

  const services = snapshot?.services ?? [];
  const serviceId = services.find(({ id }) => id === selected)?.id ?? services[0]?.id ?? "";
  return (
    <OpenForm.Provider value={setForm}>
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
        <p class="live" role="status">
          <span class={isConnected ? "dot good" : "dot bad"} aria-hidden="true" />
          {isConnected ? "Live" : "Disconnected. Reconnecting …"}
        </p>
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
      {route.view !== "requests" && <LatestRequest request={requests[0]} />}
      {form && <FormDialog key={form.title} form={form} onClose={() => setForm(undefined)} />}
    </OpenForm.Provider>
  );
}

/** Not announced to screen readers: outside the Requests view that would interrupt. */
function LatestRequest({ request }: { request: ConsoleRequest | undefined }) {
  return (
    <footer class="latest">
      {request ? (
        <a href="#/requests">
          <span class="time">{timeOfDay(request.time)}</span>
          <Status status={request.status} />
          <span class="call">
            {request.method} {shortPath(request.path)}
          </span>
        </a>
      ) : (
        <span class="muted">No requests yet</span>
      )}
    </footer>
  );
}

/** Sets the title, and moves the focus to a new view, so that screen readers announce it. */
function useHeadingFocus({ view, id }: Route, title: string): void {
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${title} · Sandbox`;
    if (!isFirst.current) document.getElementById("main")?.focus();
    isFirst.current = false;
  }, [view, id, title]);
}
