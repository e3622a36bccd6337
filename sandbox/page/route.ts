import { useEffect, useState } from "preact/hooks";

/** The part of the console's address after `#/`: a view, and possibly a dashboard in it. */
export interface PageRoute {
  view: string;
  id: string;
}

function current(): PageRoute {
  const [name = "", ...segments] = location.hash.replace(/^#\/?/, "").split("/");
  return { view: name || "services", id: segments.join("/") };
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
