import * as pulumi from "@pulumi/pulumi";
import { useVirtualTime } from "../api/virtualTime";
import { captureWarnings, type Host, hostWith, withoutEnvironment } from "../hosts/dynamic/hostProcess";
import { expectPlain } from "./cases";
import { Judge } from "./judge";

/**
 * A host process of the provider and a program's configuration, both with the settings of a judge, which is a server that
 * checks every request.
 */
export interface Judged {
  readonly judge: Judge;
  readonly host: Host;
  /**
   * The host process of a later update. It deletes what `host` has created, since a process keeps objects that it has just seen
   * declared.
   */
  readonly laterHost: Host;
  readonly printed: string[];
}

/**
 * Provides the provider's host process and the judge (a server that checks every request) to the tests of the surrounding
 * `describe` block. The provider's waits take no time.
 */
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
