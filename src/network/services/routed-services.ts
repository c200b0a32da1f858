import type { Product } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

/** Whether kube-proxy implements a Service: those with one of these labels are left to others. Cf. pkg/proxy NewServiceConfig. */
export function createRoutedFilter(product: Product): (service: corev1.Service) => boolean {
  const labels = ['service-proxy-name', 'headless'].map((name) => product.rename(`service.kubernetes.io/${name}`));
  return ({ metadata }) => !labels.some((label) => metadata.labels?.[label] !== undefined);
}
