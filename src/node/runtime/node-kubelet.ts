import type { KubeletApi } from '../../streaming/index.ts';
import { type KubeletContext, type ServedKubelet, serveKubelet } from '../server/serve-kubelet.ts';
import { createKubelet } from './kubelet.ts';

/** The kubelet of a node with its HTTP server. */
export function createNodeKubelet(
  kubelet: Omit<ServedKubelet, 'counters' | 'healthChecks' | 'containers'>,
  context: KubeletContext,
): KubeletApi {
  const state = { counters: new Map(), healthChecks: new Map() };
  const containers: KubeletApi = createKubelet(kubelet.find, (request) =>
    serveKubelet(request, { ...kubelet, ...state, containers }, context),
  );
  return containers;
}
