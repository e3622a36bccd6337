import { captureWarnings, freshHost, type Host, withoutEnvironment } from "../hosts/dynamic/freshProvider";
import { startUnaskedService, type UnaskedService } from "./unaskedService";

/** The face of the provider that the engine's host calls, with settings that point at a service that counts requests. */
export interface UnaskedHost {
  readonly host: Host;
  readonly service: UnaskedService;
  /** What the provider warned of. */
  readonly warnings: string[];
}

/** Provides it to the tests of the surrounding `describe` block. */
export function useUnaskedHost(): UnaskedHost {
  // Tests run after `before` has filled it.
  const unasked = {} as { host: Host; service: UnaskedService; warnings: string[] };
  let restore: () => void;

  before(async () => {
    const restoreEnvironment = withoutEnvironment();
    const warnings = captureWarnings();
    restore = () => {
      warnings.restore();
      restoreEnvironment();
    };
    const service = await startUnaskedService();
    Object.assign(unasked, { service, host: freshHost(service.settings), warnings: warnings.lines });
  });

  after(async () => {
    restore();
    await unasked.service.close();
  });

  return unasked;
}
