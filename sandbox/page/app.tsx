import type { ComponentType } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { ConsoleRequest, ConsoleSnapshot } from "../http/console/snapshot";
import { FormDialog, type FormOf, OpenForm } from "./dialog";
import { useFeed } from "./feed";
import { timeOfDay } from "./format";
import { KindList, titleOf } from "./kinds";
import { type PageRoute, useRoute } from "./route";
import { Empty } from "./table";
import type { ViewProps } from "./viewProps";
import { Alerts } from "./views/alerts";
import { Dashboards } from "./views/dashboards";
import { Faults } from "./views/faults";
import { Requests, Status, shortPath } from "./views/requests";

/** The views of the console in the order of its navigation; those without a component list the kinds of their group. */
const views: Readonly<Record<string, ComponentType<ViewProps> | undefined>> = {
  ...{ services: undefined, data: undefined, observability: undefined },
  ...{ dashboards: Dashboards, alerts: Alerts },
  ...{ organization: undefined, requests: Requests, faults: Faults },
};

const kindsAt = ({ view }: PageRoute, { kinds }: ConsoleSnapshot) =>
  kinds.filter(({ name, group }) => name === view || (group === view && !views[name]));

/** Lists the objects of the kind that an address of the console names, or of all kinds of a group. */
function Objects({ snapshot, serviceId, route }: ViewProps) {
  return kindsAt(route, snapshot).map((kind, index) => (
    <section key={kind.name}>
      <KindList {...{ kind, snapshot, serviceId }} isSecond={index > 0} />
    </section>
  ));
}

/** Finds the view of the console for an address. Of all objects, only dashboards have addresses. */
function viewAt(route: PageRoute, snapshot: ConsoleSnapshot): ComponentType<ViewProps> {
  const { view, id } = route;
  if (id !== "" && view !== "dashboards") return Unknown;
  const own = Object.hasOwn(views, view) ? views[view] : undefined;
  return own ?? (kindsAt(route, snapshot).length > 0 ? Objects : Unknown);
}

const noticeTime = 10_000;

export function App() {
  const { snapshot, requests, isConnected } = useFeed();
  const route = useRoute();
  const [selected, setSelected] = useState<string>();
  const [opened, setOpened] = useState<{ readonly formOf: FormOf }>();
  const [notice, setNotice] = useState("");
  const View = snapshot && viewAt(route, snapshot);
  const group = snapshot?.kinds.find(({ name }) => name === route.view)?.group;
  useHeadingFocus(route, View === Unknown ? "Nothing here" : titleOf(route.view));
  // A form belongs to the page on which it was opened.
  useEffect(() => setOpened(undefined), [route]);
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
          {Object.keys(views).map((name) => (
            <a
              key={name}
              href={`#/${name}`}
              aria-current={name === (route.view in views ? route.view : group) ? "page" : undefined}
            >
              {titleOf(name)}
            </a>
          ))}
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        {View ? <View {...{ snapshot, serviceId, route, requests }} /> : <Empty>Connecting …</Empty>}
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
