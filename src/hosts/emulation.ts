/** What only clusters with pods need: the runtime of containers, their network and the protocols of their streams. A chunk of its own. */
import type { ApiClient } from '../client/index.ts';
import { type ContainerRuntime, createConnectionHandler } from '../cluster/index.ts';
import { createContainerRuntime, loadPrograms } from '../containers/index.ts';
import type { Env } from '../env/index.ts';
import type { ApiHandler, Product } from '../meta/index.ts';
import { createNetwork } from '../network/index.ts';
import type { Dialer, StreamProtocols } from '../streaming/index.ts';
import { createWebSocketProtocols } from '../streaming/protocols/index.ts';
import { loadImages } from './load-images.ts';
import { serveNodes } from './remote-nodes/serve-nodes.ts';

export { createContainerRuntime, createNetwork, loadPrograms, serveNodes };

export interface EmulationOptions {
  /** Reads the objects that the network depends on. */
  readonly client: ApiClient;
  /** The API as pods reach it, which send their own credentials. */
  readonly api: ApiHandler;
  /** The certificate of the API, in PEM; undefined: it is served over plain HTTP. */
  readonly servingCertificate: string | undefined;
  readonly env: Env;
  readonly product: Product;
  /** Absolute URLs of the scripts of container images, by the repository of the image. */
  readonly images: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface Emulation {
  readonly runtime: ContainerRuntime;
  readonly dialer: Dialer;
  readonly protocols: StreamProtocols;
}

/** That of `clusterDefaults`, whose module would load the whole server. */
const serverAddress = { address: '172.18.0.1', port: 6443 };

export async function createEmulation({
  client,
  api,
  servingCertificate,
  env,
  product,
  images,
  signal,
}: EmulationOptions): Promise<Emulation> {
  const server = {
    ...serverAddress,
    tls: servingCertificate === undefined ? undefined : { certificate: servingCertificate },
    accept: createConnectionHandler(api),
  };
  const network = createNetwork({ client, clock: env.clock, random: env.random, product, server, signal });
  const registered = await loadImages(images, env.log);
  const runtime = createContainerRuntime({ env, product, registered });
  return {
    runtime: { ...runtime, createSandbox: (pod, host) => runtime.createSandbox(pod, { ...host, network }) },
    dialer: network.dialer,
    protocols: createStreamProtocols(product),
  };
}

/** The protocols of the connections to containers. Their feature gates are on by default; the list of all gates would be a kilobyte. */
export function createStreamProtocols(product: Product): StreamProtocols {
  return createWebSocketProtocols({ product, featureGates: { enabled: () => true } });
}
