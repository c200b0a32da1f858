import { createPortHandler, type SchedulingMessage } from '../../client/index.ts';
import { type DeviceSelectorCompiler, Explanations } from '../../cluster/index.ts';
import { productByName } from '../../meta/index.ts';
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
  scope.addEventListener('message', ({ data: { names, nodes, coreUrl, schedulingChannel }, ports: [port] }) => {
    if (port === undefined) return;
    const { handle } = createPortHandler(port);
    port.start();
    const explanations = new Explanations();
    serveExplanations(new BroadcastChannel(schedulingChannel), explanations);
    const loadDeviceSelectors = (): Promise<DeviceSelectorCompiler> => importCompiler(coreUrl);
    startComponents({ api: handle, env: createBrowserEnv(), product: productByName(names), nodes, explanations, loadDeviceSelectors });
  });
  scope.postMessage({ kind: 'ready' } satisfies FromComponents);
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
