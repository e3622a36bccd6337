import { useEffect, useState } from "preact/hooks";

export const viewNames = ["services", "dashboards", "alerts", "pipes", "keys", "requests", "faults"] as const;

export type ViewName = (typeof viewNames)[number];

/** The address after `#/`: a view, and an object in it. */
export interface Route {
  view: ViewName;
  id?: string;
}

function current(): Route {
  const [view, id] = location.hash.replace(/^#\//, "").split("/");
  return { view: viewNames.find((name) => name === view) ?? "services", ...(id && { id }) };
}

export function useRoute(): Route {
  const [route, setRoute] = useState(current);
  useEffect(() => {
    const follow = () => setRoute(current());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
