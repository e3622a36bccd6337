import { useEffect, useState } from "preact/hooks";

export const viewNames = [
  ...(["services", "dashboards", "alerts", "searches", "sources", "webhooks", "queries"] as const),
  ...(["pipes", "keys", "requests", "faults"] as const),
] as const;

export type ViewName = (typeof viewNames)[number];

/** The address after `#/`: a view, and a dashboard in it. */
export interface PageRoute {
  /** Absent for an address at which there is nothing. */
  view?: ViewName;
  id?: string;
}

function current(): PageRoute {
  const [name = "", ...segments] = location.hash.replace(/^#\/?/, "").split("/");
  const id = segments.join("/");
  const view = viewNames.find((viewName) => viewName === (name || "services"));
  return view && (id === "" || view === "dashboards") ? { view, ...(id && { id }) } : {};
}

export function useRoute(): PageRoute {
  const [route, setRoute] = useState(current);
  useEffect(() => {
    const follow = () => setRoute(current());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
