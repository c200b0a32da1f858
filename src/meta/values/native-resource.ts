import type { Product } from '../product.ts';

/** Whether a resource, such as `cpu`, is one of Kubernetes itself rather than of a vendor. Cf. IsNativeResource. */
export function isNativeResource(name: string, { rename }: Pick<Product, 'rename'>): boolean {
  return !name.includes('/') || name.includes(rename('kubernetes.io/'));
}
