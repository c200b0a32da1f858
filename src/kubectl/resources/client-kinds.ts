import type { Product } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';

/** The groups that client-go has types for. */
const typedGroups: readonly string[] = [
  '',
  'admissionregistration.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
];

/** The error of commands that work with typed objects for a kind that client-go does not have. */
export function findClientKindError(product: Product, apiVersion: string, kind: string): KubectlError | undefined {
  const group = apiVersion.includes('/') ? apiVersion.split('/', 1)[0] : '';
  if (typedGroups.some((one) => product.rename(one) === group)) return undefined;
  return new KubectlError(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:110"`,
  );
}
