import type { Product } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

/** The hash of the manifest of a mirror pod; undefined for other pods. */
export const mirrorHashOf = ({ metadata }: Pick<corev1.Pod, 'metadata'>, product: Pick<Product, 'rename'>): string | undefined =>
  metadata.annotations?.[product.rename('kubernetes.io/config.mirror')];

export const isMirrorPod = (pod: Pick<corev1.Pod, 'metadata'>, product: Pick<Product, 'rename'>): boolean =>
  mirrorHashOf(pod, product) !== undefined;
