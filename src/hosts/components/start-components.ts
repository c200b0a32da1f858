import {
  type DeviceSelectorCompiler,
  type Explanations,
  furtherControllers,
  numberedNodes,
  startNodes,
  startScheduler,
  startSelectedControllers,
} from '../../cluster/index.ts';
import type { Env } from '../../env/index.ts';
import { type ApiHandler, type Product, withHeaders } from '../../meta/index.ts';
import { adminToken } from '../browser/users.ts';

export interface ComponentsOptions {
  /** The API of the cluster, without credentials. */
  readonly api: ApiHandler;
  readonly env: Env;
  readonly product: Product;
  /** Number of simulated nodes. */
  readonly nodes: number;
  /** Loads the compiler of CEL selectors of devices. */
  readonly loadDeviceSelectors: () => Promise<DeviceSelectorCompiler>;
  /** Receives the decisions of the scheduler. */
  readonly explanations: Explanations;
}

/**
 * Starts the controllers that the API server's host does not run, the scheduler and the nodes; the returned function stops them. They have
 * the identities of the real components, which they impersonate as admin: the server's own token stays in its thread.
 */
export function startComponents({ api, env, product, nodes, explanations, loadDeviceSelectors }: ComponentsOptions): () => void {
  const { clock, log, random } = env;
  const apiAs = (user: string, group: string, component: string): ApiHandler => withIdentity(api, { user, group, component });
  const controllers = startSelectedControllers(
    {
      api: apiAs('system:apiserver', 'system:masters', product.rename('kube-controller-manager')),
      clock,
      log,
      product,
      rootAuthority: undefined,
      signSecretToken: () => Promise.reject(new Error('tokens are signed by the host of the API server')),
    },
    { available: furtherControllers, enabled: ['*'] },
  );
  const scheduler = startScheduler({
    api: apiAs(product.rename('system:kube-scheduler'), 'system:authenticated', product.rename('kube-scheduler')),
    clock,
    log,
    product,
    random,
    explanations,
    loadDeviceSelectors,
  });
  const kubelets = startNodes(
    {
      ...env,
      api: apiAs('system:apiserver', 'system:masters', 'kwok'),
      apiOf: (node) => apiAs(`system:node:${node}`, 'system:nodes', 'kubelet'),
      product,
    },
    numberedNodes(nodes),
  );
  return () => {
    kubelets();
    scheduler();
    controllers();
  };
}

interface Identity {
  readonly user: string;
  readonly group: string;
  /** The user agent, which becomes the field manager. */
  readonly component: string;
}

function withIdentity(api: ApiHandler, { user, group, component }: Identity): ApiHandler {
  return withHeaders(api, [
    ['authorization', `Bearer ${adminToken}`],
    ['impersonate-user', user],
    ['impersonate-group', group],
    ['user-agent', `${component}/v1`],
  ]);
}
