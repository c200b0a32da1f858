import { createPortHandler, type SchedulingMessage } from '../../client/index.ts';
import { Explanations } from '../../cluster/index.ts';
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
  scope.addEventListener('message', ({ data: { names, nodes, schedulingChannel }, ports: [port] }) => {
    if (port === undefined) return;
    const { handle } = createPortHandler(port);
    port.start();
    const explanations = new Explanations();
    serveExplanations(new BroadcastChannel(schedulingChannel), explanations);
    startComponents({ api: handle, env: createBrowserEnv(), product: productByName(names), nodes, explanations });
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
