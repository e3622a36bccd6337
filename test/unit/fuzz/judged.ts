import * as pulumi from "@pulumi/pulumi";
import { useVirtualTime } from "../api/virtualTime";
import { captureWarnings, type Host, hostWith, withoutEnvironment } from "../hosts/dynamic/hostProcess";
import { expectPlain } from "./cases";
import { Judge } from "./judge";

/** The provider as the engine's host sees it, and programs by their configuration, with the settings of a judge. */
export interface Judged {
  readonly judge: Judge;
  readonly host: Host;
  /** The host process of a later update, which deletes what the first one has created. */
  readonly laterHost: Host;
  /** What the host process printed. */
  readonly printed: string[];
}

/** Provides it to the cases of the surrounding `describe`. Waits of the provider take no time. */
export function useJudged(): Judged {
  const judged = {} as { -readonly [Name in keyof Judged]: Judged[Name] };
  useVirtualTime();
  let restore: () => void;

  before(async () => {
    const restoreEnvironment = withoutEnvironment();
    const warnings = captureWarnings();
    const judge = await new Judge().start();
    const settings = Object.entries(judge.settings);
    pulumi.runtime.setAllConfig(
      Object.fromEntries(settings.map(([name, value]) => [`pipestack:${name}`, value])),
    );
    Object.assign(judged, {
      judge,
      host: hostWith(judge.settings),
      laterHost: hostWith(judge.settings),
      printed: warnings.lines,
    });
    restore = () => {
      pulumi.runtime.setAllConfig({});
      warnings.restore();
      restoreEnvironment();
    };
  });
  afterEach(() => {
    for (const line of judged.printed) expectPlain(line);
    judged.printed.length = 0;
  });
  after(async () => {
    restore();
    await judged.judge.close();
  });
  return judged;
}
