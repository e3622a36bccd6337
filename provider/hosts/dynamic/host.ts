import { randomUUID } from "node:crypto";
import type * as pulumi from "@pulumi/pulumi";
import { fromEnvironment, resolveSettings, type SettingSource } from "../../api/settings";
import { isDrawnPreview } from "../../engine/drawnPreview";
import { clean, mustBeData, pathsBeyondData, sizeFailures } from "../../engine/engineValues";
import { explicitKey, stackKey, watchedTileName } from "../../engine/names";
import { fromHost, knownFromHost, markedIn, toHost, withMarksOf, withSecret } from "../../engine/properties";
import { deleteUnlessDeclared } from "../../lifecycle/delete";
import { warnOfKept } from "../../lifecycle/dropped";
import { type Resource, updateAsFarAsPossible } from "../../lifecycle/resource";
import { resourceKey } from "../../lifecycle/run";
import { Session } from "../../lifecycle/session";
import { declaredIn, declaresNothing, isPending } from "../../lifecycle/state";
import { asVerdict, tileToComeFailures } from "../../resources/tiles/alertTiles";
import { digest } from "../../values/compare";
import { type PropertyMap, pick } from "../../values/data";
import { annotationsOf, schemaAt } from "../../values/schema";
import { containsUnknown } from "../../values/unknown";
import { withTexts } from "../files";
import { Claims, declarationIn } from "../ownership/claims";
import { SecretTracker } from "../secrecy";
import { plainError, plainly } from "./plainErrors";

type OpenSession = (config: pulumi.dynamic.Config) => Session;

/** The data that all resource types of one dynamic provider process share. Each process serves one provider instance. */
interface HostState {
  /** The session that the first `configure` opens: one API client, one rate limiter, and one list per type for all reads. */
  session?: Session;
  /** An identity that distinguishes this provider instance from the others of an update. */
  readonly identity: string;
  readonly claims: Claims;
}

/** Implements the methods that Pulumi's dynamic provider calls, for all resource types. */
export function createHost<TypeName extends string>(
  resources: { readonly [type in TypeName]: Resource },
  openSession: OpenSession = sessionWith,
  claims = new Claims(),
) {
  const host: HostState = {
    identity: randomUUID(),
    claims,
  };
  const entries = Object.entries<Resource>(resources).map(
    ([type, resource]) => [type, methodsOf(resource, host, openSession)] as const,
  );
  return Object.fromEntries(entries) as { [type in TypeName]: ReturnType<typeof methodsOf> };
}

/** Opens the session with the settings of this process. The engine shows what the session logs (on stderr) under the stack. */
function sessionWith(config: pulumi.dynamic.Config): Session {
  const sources: SettingSource[] = [
    (name) => config.get(explicitKey(name)),
    fromEnvironment,
    (name) => config.get(stackKey(name)),
  ];
  const log = {
    warn: (message: string) => console.error(`warning: pipestack: ${message}`),
    info: (message: string) => console.error(`pipestack: ${message}`),
  };
  return new Session((tell) => resolveSettings(sources, tell), log, isDrawnPreview());
}

/** The volatile outputs that a preview shows with their present values, since this update leaves them alone. */
function stableOutputs(resource: Resource, inputs: PropertyMap, state: PropertyMap): PropertyMap {
  const planned = resource.plan(state, inputs);
  const isStable = (name: string) =>
    annotationsOf(schemaAt(resource.outputs, name)).volatile &&
    state[name] !== undefined &&
    !containsUnknown(planned[name]);
  return pick(planned, Object.keys(resource.outputs.properties).filter(isStable));
}

/** The methods of one resource type. Pulumi's dynamic provider passes on no detailed diff and takes only plain JSON. */
function methodsOf(resource: Resource, host: HostState, openSession: OpenSession) {
  const session = (): Session => {
    if (!host.session)
      throw new Error("the provider is not configured (the engine's host did not call configure)");
    return host.session;
  };
  const secrecy = new SecretTracker(resource, session);
  const hide = (message: string) => host.session?.secrets.hide(message) ?? message;
  const conceal = (properties: object) => secrecy.conceal(properties as PropertyMap, markedIn(properties));
  /**
   * Runs a provider method, such as create. From then on, no message shows the secrets in the properties that the method gets.
   */
  const step = <Result>(properties: object, run: () => Promise<Result>): Promise<Result> =>
    plainly(async () => {
      conceal(properties);
      return run();
    }, hide);
  /** Converts a resource's state for the engine. Properties that were encrypted in `before` stay encrypted. */
  const shown = (state: PropertyMap, before: object): PropertyMap => {
    const further = secrecy.furtherSecrets(state, before as PropertyMap, conceal(before));
    return withMarksOf(before, withSecret(clean(state), further), further);
  };
  /**
   * Marks inputs for the engine by the marks of `before`. The engine itself marks those of a refresh as its own inputs are, which
   * after a failed update lack the secrets that only the state still has.
   */
  const withSecretInputs = (inputs: PropertyMap, before: object): PropertyMap => {
    const names = conceal(before).flatMap(([name, ...inner]) => (inner.length > 0 ? [] : name));
    return withMarksOf(before, withSecret(inputs, names));
  };

  /**
   * Identifies a resource by a digest of its state, since the engine does not tell its name. Two resources with the same object
   * mostly have different states.
   */
  const holderOf = (id: string, state: PropertyMap) => ({
    identity: `${host.identity} ${resourceKey(resource, id)} ${digest(resource.inputs, state)}`,
  });

  /** The error of a create or update carried out in part: the engine keeps its result in the state for the next update. */
  const partly = (failure: Error, id: string, outs: PropertyMap, inputs: object): Error => {
    const error = plainError(failure, hide);
    const properties = { ...outs, __provider: (inputs as PropertyMap).__provider };
    return Object.assign(error, { id, properties, reasons: [error.message] });
  };

  return {
    // `configure` validates no settings: Pulumi's dynamic provider does not wait for it, and is used even if it fails.
    async configure({ config }) {
      if (host.session) return;
      host.session = openSession(config);
      host.claims.serve(host.session);
    },

    check: (olds, news) =>
      step(news, async () => {
        const before = fromHost(olds);
        const { data: declared, failures: unread } = withTexts(resource.inputs, fromHost(news));
        const { inputs, failures, warnings } = await resource.check(before, declared, session());
        const rivals = host.claims.declare(resource, inputs, declarationIn(news), session());
        const mark = (news as PropertyMap)[watchedTileName];
        const ofTile = asVerdict(tileToComeFailures(mark, inputs), session());
        for (const warning of [...warnings, ...ofTile.warnings]) session().warnOnce(warning);
        const beyondData = pathsBeyondData(declared).map((path) => ({ path, message: mustBeData }));
        // In a preview, the engine takes every output that is not also an input for unknown, and what depends on it for
        // changed. So outputs that this update leaves alone are repeated among the inputs.
        const stables = failures.length + unread.length > 0 ? {} : stableOutputs(resource, inputs, before);
        const refusals = [...secrecy.refusals(markedIn(news)), ...sizeFailures(inputs)];
        const all = [...refusals, ...beyondData, ...unread, ...failures, ...rivals, ...ofTile.failures];
        return {
          // A Pulumi transformation may replace values after the resource's class has marked secrets.
          inputs: withSecretInputs(toHost({ ...inputs, ...stables }), news),
          // A failure names no property, since the engine would print the property's value, which may be a secret. The
          // failure's text names the property instead.
          failures: all.map((failure) => ({
            property: "",
            reason: secrecy.sentenceOf(failure, markedIn(news)),
          })),
        };
      }),

    diff: (id, olds, news) =>
      step(news, async () => {
        conceal(olds);
        const changes = await resource.diff(id, fromHost(olds), fromHost(news), session());
        // A refresh, too, calls diff, before the program, which then need not declare the resource.
        if (session().run.hasProgram) {
          const state = knownFromHost(olds);
          host.claims.hold(resource, id, holderOf(id, state), state, session());
          host.claims.keep(resource, id, fromHost(news), session());
          warnOfKept(resource, id, fromHost(olds), fromHost(news), changes, session());
        }
        const replaces = changes.filter((change) => change.replaces).map(({ path }) => path);
        // If diff returns no `changes`, the engine compares the inputs itself, which the option `replaceOnChanges` needs. An
        // update that only goes on with what has not ended changes no input, so diff has to announce it.
        const verdict: { readonly changes?: boolean } =
          changes.length === 0 ? { changes: false } : isPending(knownFromHost(olds)) ? { changes: true } : {};
        const isFirst = replaces.length > 0 && resource.isDeletedFirst?.(fromHost(olds), fromHost(news));
        return { ...verdict, replaces, ...(isFirst && { deleteBeforeReplace: true }) };
      }),

    async create(inputs) {
      const { id, state, failure } = await step(inputs, () =>
        resource.create(knownFromHost(inputs), session()),
      );
      const outs = shown(state, inputs);
      if (!failure) return { id, outs };
      throw partly(failure, id, outs, inputs);
    },

    read: (id, props = {}) =>
      step(props, async () => {
        const state = knownFromHost(props);
        const live = await resource.read(id, state, session());
        if (live === "gone") {
          if (declaresNothing(resource, state)) {
            throw new Error(`${resource.type} ${id} does not exist in the service`);
          }
          return { id: "", props: {} };
        }
        if (live === "unseen") return { id, props: shown(state, props) };
        const stables = stableOutputs(resource, live.inputs, live.state);
        // If the result of read has no inputs, the engine keeps those of the state, which saves most traffic of a refresh.
        const hasNews =
          Object.keys(stables).length > 0 ||
          JSON.stringify(live.inputs) !== JSON.stringify(declaredIn(resource, state));
        return {
          id,
          props: shown(live.state, props),
          ...(hasNews ? { inputs: withSecretInputs(clean({ ...live.inputs, ...stables }), props) } : {}),
        };
      }),

    async update(id, olds, news) {
      const { state, failure } = await step(news, () => {
        conceal(olds);
        return updateAsFarAsPossible(resource, id, knownFromHost(olds), knownFromHost(news), session());
      });
      const outs = shown(state, news);
      if (failure) throw partly(failure, id, outs, news);
      return { outs };
    },

    delete: (id, props) =>
      step(props, async () => {
        const state = knownFromHost(props);
        const isDeclared = host.claims.isClaimed(resource, id, state, holderOf(id, state).identity);
        return deleteUnlessDeclared(resource, id, state, session(), isDeclared);
      }),
  } satisfies pulumi.dynamic.ResourceProvider;
}
