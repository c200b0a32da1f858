import { createPortHandler } from '../../client/index.ts';
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
  scope.addEventListener('message', ({ data: { names, nodes }, ports: [port] }) => {
    if (port === undefined) return;
    const { handle } = createPortHandler(port);
    port.start();
    startComponents({ api: handle, env: createBrowserEnv(), product: productByName(names), nodes });
  });
  scope.postMessage({ kind: 'ready' } satisfies FromComponents);
}
