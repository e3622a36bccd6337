import type { SandboxFacts } from "./sandboxProcess";

/** How many resources of each type a stack has. */
export interface Work {
  alerts: number;
  dashboards: number;
  keys: number;
  /** Number of services, each with a scaling and a query endpoint. */
  services: number;
}

/** An organization can have a hundred keys, one of which signs the requests. */
const mostKeys = 95;

export const works = {
  /** Alerts alone, on one service. */
  alerts: (size: number): Work => ({ alerts: size, dashboards: 0, keys: 0, services: 0 }),
  /** Some of each type, at least one. */
  mixed(size: number): Work {
    const services = Math.ceil(size / 20);
    const keys = Math.min(mostKeys, Math.ceil(size / 10));
    const dashboards = Math.ceil(size / 5);
    const alerts = Math.max(1, size - 2 * services - keys - dashboards);
    return { alerts, dashboards, keys, services };
  },
};

export type WorkName = keyof typeof works;

/** The environment of the contenders' programs. */
export function programVariables(work: Work, { environment, services, webhookId }: SandboxFacts) {
  return { ...environment, BENCH_WORK: JSON.stringify({ ...work, services, webhookId }) };
}
