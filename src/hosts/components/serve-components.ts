import { createPortHandler, followTime, type SchedulingMessage } from '../../client/index.ts';
import { type DeviceSelectorCompiler, Explanations } from '../../cluster/index.ts';
import { type Clock, createScaledClock, type ScaledClock, type TimeState } from '../../env/index.ts';
import { type ApiHandler, productByName } from '../../meta/index.ts';
import { createBrowserEnv } from '../browser/index.ts';
import type { FromComponents, StartComponents } from './messages.ts';
import { startComponents } from './start-components.ts';

/** The used part of DedicatedWorkerGlobalScope. */
export interface ComponentsScope {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<StartComponents>) => void): void;
}

/** Entry point of the components worker, which runs the components of one cluster until it is terminated. */
export function serveComponents(scope: ComponentsScope): void {
  scope.addEventListener('message', ({ data: { names, nodes, images, coreUrl, schedulingChannel }, ports: [port] }) => {
    if (port === undefined) return;
    const { handle } = createPortHandler(port);
    port.start();
    const explanations = new Explanations();
    serveExplanations(new BroadcastChannel(schedulingChannel), explanations);
    const loadDeviceSelectors = (): Promise<DeviceSelectorCompiler> => importCompiler(coreUrl);
    const env = createBrowserEnv();
    const clock = createScaledClock(env.clock);
    const api = whileRunning(handle, clock);
    void whenTimeKnown(handle, env.clock, clock).then(() =>
      startComponents({
        api,
        alwaysApi: handle,
        env: { ...env, clock },
        product: productByName(names),
        nodes,
        images,
        explanations,
        loadDeviceSelectors,
      }),
    );
  });
  scope.postMessage({ kind: 'ready' } satisfies FromComponents);
}

/** Follows the cluster's time. Resolves when it is known, or the host has none. */
function whenTimeKnown(api: ApiHandler, host: Clock, clock: ScaledClock): Promise<void> {
  return new Promise((resolve) => {
    const setTime = (state: TimeState): void => {
      clock.setTime(state);
      resolve();
    };
    void followTime({ api, clock: host }, setTime, new AbortController().signal).then(resolve);
  });
}

/** Requests wait while the cluster is paused: nothing changes, whatever the components observe. */
function whileRunning(api: ApiHandler, clock: ScaledClock): ApiHandler {
  return async (request) => {
    const running = clock.untilRunning(request.signal);
    if (running) await running;
    return api(request);
  };
}

function serveExplanations(channel: BroadcastChannel, explanations: Explanations): void {
  channel.addEventListener('message', ({ data }: MessageEvent<SchedulingMessage>) => {
    if (data.kind !== 'query') return;
    const explanation = explanations.get(data.pod);
    if (explanation?.uid === data.uid) channel.postMessage({ kind: 'explanation', explanation } satisfies SchedulingMessage);
  });
}

async function importCompiler(coreUrl: string): Promise<DeviceSelectorCompiler> {
  const core = (await import(/* @vite-ignore */ coreUrl)) as { readonly compileDeviceSelector: DeviceSelectorCompiler };
  return core.compileDeviceSelector;
}
