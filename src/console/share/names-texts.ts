import { msg } from '@lit/localize';
import type { ProductName } from '../../meta/index.ts';

/** The title of a choice of API group names. */
export function namesHeading(names: ProductName): string {
  return names === 'kubernetes' ? msg('Kubernetes names') : msg('svc names');
}

/** Describes API group names in one sentence. */
export function namesAbout(names: ProductName): string {
  return names === 'kubernetes'
    ? msg('Groups as in Kubernetes, such as rbac.authorization.k8s.io: manifests and commands of its documentation work unchanged.')
    : msg('Neutral groups of the specification, such as rbac.authorization.svc.');
}
