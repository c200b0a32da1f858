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
import { componentApis } from './component-apis.ts';

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
  const apis = componentApis(withHeaders(api, [['authorization', `Bearer ${adminToken}`]]), product);
  const controllers = startSelectedControllers(
    {
      api: apis.controllerManager,
      clock,
      log,
      product,
      rootAuthority: undefined,
      signSecretToken: () => Promise.reject(new Error('tokens are signed by the host of the API server')),
    },
    { available: furtherControllers, enabled: ['*'] },
  );
  const scheduler = startScheduler({
    api: apis.scheduler,
    clock,
    log,
    product,
    random,
    explanations,
    loadDeviceSelectors,
  });
  const kubelets = startNodes({ ...env, api: apis.nodeManager, apiOf: apis.node, product }, numberedNodes(nodes));
  return () => {
    kubelets();
    scheduler();
    controllers();
  };
}
