import { AbortGroup, ApiClient } from '../../client/index.ts';
import {
  type ContainerRuntime,
  createSandboxes,
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
import { createKubeletRegistry } from '../../streaming/index.ts';
import { adminToken } from '../browser/users.ts';
import type { Emulation } from '../emulation.ts';
import { createRemoteAuthority, type RemoteAuthority } from '../remote-authority.ts';
import { type ComponentApis, componentApis } from './component-apis.ts';

export interface ComponentsOptions {
  /** The API of the cluster, without credentials. */
  readonly api: ApiHandler;
  /** The same, also while the cluster is paused: its containers can be inspected. */
  readonly alwaysApi: ApiHandler;
  readonly env: Env;
  readonly product: Product;
  /** Number of simulated nodes. */
  readonly nodes: number;
  /** Absolute URLs of the scripts of container images, by the repository of the image. */
  readonly images: Readonly<Record<string, string>>;
  /** Loads the compiler of CEL selectors of devices. */
  readonly loadDeviceSelectors: () => Promise<DeviceSelectorCompiler>;
  /** Receives the decisions of the scheduler. */
  readonly explanations: Explanations;
}

/**
 * Starts the controllers that the API server's host does not run, the scheduler and the nodes; the returned function stops them. They have
 * the identities of the real components, which they impersonate as admin: the server's own token stays in its thread.
 */
export function startComponents(options: ComponentsOptions): () => void {
  const { api, env, product, explanations, loadDeviceSelectors } = options;
  const { clock, log, random } = env;
  const running = new AbortGroup();
  const adminApi = withHeaders(api, [['authorization', `Bearer ${adminToken}`]]);
  const apis = componentApis(adminApi, product);
  const authority = createRemoteAuthority(new ApiClient({ api: adminApi, product, signal: running.add().signal }));
  const controllers = startSelectedControllers(
    {
      api: apis.controllerManager,
      clock,
      log,
      product,
      rootAuthority: undefined,
      certificateAuthority: authority,
      signSecretToken: () => Promise.reject(new Error('tokens are signed by the API server')),
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
  const kubelets = startKubelets(options, apis, authority);
  return () => {
    kubelets();
    scheduler();
    controllers();
    running.abort();
  };
}

/** Starts the nodes, which run emulated containers, and makes them reachable for the API server. */
function startKubelets(
  { alwaysApi, env, product, nodes, images }: ComponentsOptions,
  apis: ComponentApis,
  authority: RemoteAuthority,
): () => void {
  const running = new AbortGroup();
  const client = new ApiClient({ api: apis.nodeManager, product, signal: running.add().signal });
  const { signal } = running.add();
  const kubelets = createKubeletRegistry();
  const configs = numberedNodes(nodes);
  // For the first pod: before, the API server has nothing to request from the nodes.
  const startEmulation = async (): Promise<Emulation> => {
    const { createEmulation, serveNodes } = await import('../emulation.ts');
    const servingCertificate = await authority.servingCertificate();
    const started = await createEmulation({ client, api: alwaysApi, servingCertificate, env, product, images, signal });
    void serveNodes(
      { ...started, kubeletOf: kubelets.kubeletOf },
      { api: alwaysApi, nodes: configs.map(({ name }) => name), clock: env.clock, signal },
    );
    return started;
  };
  let emulation: Promise<Emulation> | undefined;
  // Where it cannot be loaded, containers are simulated by their images.
  const loadRuntime = async (): Promise<ContainerRuntime> => {
    try {
      emulation ??= startEmulation();
      return (await emulation).runtime;
    } catch (error) {
      env.log.warn('no containers', { error });
      const createSandbox = (): never => {
        throw error;
      };
      return { hasImage: () => false, createSandbox };
    }
  };
  const sandboxes = createSandboxes(loadRuntime);
  const stop = startNodes({ ...env, api: apis.nodeManager, apiOf: apis.node, product, kubelets, createSandboxes: sandboxes }, configs);
  return () => {
    stop();
    running.abort();
  };
}
