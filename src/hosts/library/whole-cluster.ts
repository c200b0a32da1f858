/** The parts of a whole cluster, and virtual time; loaded on demand, since most users of the library need only the API. */
import { type ClusterOptions, checkProfiles, createSandboxes, numberedNodes, startNodes, startScheduler } from '../../cluster/index.ts';
import type { ContainerImage } from '../../containers/index.ts';
import { type Clock, createManualClock } from '../../env/index.ts';
import type { Product } from '../../meta/index.ts';
import type { UnknownImages } from '../unknown-images.ts';
import { VirtualTime } from './virtual-time.ts';

export { furtherControllers } from '../../cluster/index.ts';

/** A time that begins now and advances on request only. */
export const createVirtualTime = (host: Clock): VirtualTime => new VirtualTime(createManualClock(host.nowMs()), host);

/** The scheduler with a KubeSchedulerConfiguration, if any; the host in its events is `localhost`. Rejects with SchedulerConfigError. */
export async function schedulerStarter(config: string | undefined, product: Product): Promise<ClusterOptions['scheduler']> {
  const configuration = config === undefined ? {} : (await import('./scheduler-config.ts')).readSchedulerConfig(config, product);
  checkProfiles(configuration);
  return (options) => startScheduler({ ...options, configuration, host: 'localhost' });
}

/** Which images containers may have. */
export interface ImageSettings {
  readonly unknownImages: UnknownImages;
  /** By their repository. */
  readonly images: ReadonlyMap<string, ContainerImage>;
}

/**
 * A number of nodes and the adopted ones, which run emulated containers in a network. Their programs are loaded at once: time may be
 * virtual, and must not pass meanwhile.
 */
export async function nodeOptions(
  count: number,
  product: Product,
  { unknownImages, images }: ImageSettings,
): Promise<Pick<ClusterOptions, 'nodes' | 'network' | 'streamProtocols'>> {
  const { createContainerRuntime, createNetwork, createStreamProtocols, loadPrograms } = await import('../emulation.ts');
  await loadPrograms();
  const isPullable = unknownImages === 'run' ? undefined : (await import('../unknown-images.ts')).isPullable;
  const sandboxes = createSandboxes(async (options) => createContainerRuntime({ env: options, product, registered: images }));
  return {
    nodes: (options) =>
      startNodes(
        { ...options, createSandboxes: sandboxes, isPullable: isPullable && ((image) => isPullable(image, unknownImages)) },
        numberedNodes(count),
      ),
    network: createNetwork,
    streamProtocols: createStreamProtocols(product),
  };
}
