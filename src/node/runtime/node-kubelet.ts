import type { KubeletApi } from '../../streaming/index.ts';
import { type KubeletContext, type ServedKubelet, serveKubelet } from '../server/serve-kubelet.ts';
import { createKubelet } from './kubelet.ts';

/** The kubelet of a node with its HTTP server. */
export function createNodeKubelet(kubelet: Omit<ServedKubelet, 'counters'>, context: KubeletContext): KubeletApi {
  const served: ServedKubelet = { ...kubelet, counters: new Map() };
  return createKubelet(kubelet.find, (request) => serveKubelet(request, served, context));
}
