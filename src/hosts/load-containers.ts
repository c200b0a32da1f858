import type { ContainerRuntime } from '../cluster/index.ts';
import type { Env } from '../env/index.ts';
import type { Product } from '../meta/index.ts';

/** The runtime of emulated containers; its code is loaded when the first pod runs. */
export async function loadContainers({ clock, random, log, product }: Env & { readonly product: Product }): Promise<ContainerRuntime> {
  const { createContainerRuntime } = await import('../containers/index.ts');
  return createContainerRuntime({ env: { clock, random, log }, product });
}
