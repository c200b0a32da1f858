import type { Product } from '../../meta/index.ts';
import type { AdmissionAttributes } from '../admission.ts';

/** Policies do not apply to themselves, nor to reviews, which are not stored. */
export function createExclusion(product: Product): (write: AdmissionAttributes) => boolean {
  const policies = ['validatingadmissionpolicies', 'mutatingadmissionpolicies'];
  const excluded: readonly (readonly [string, readonly string[]])[] = [
    ['admissionregistration.k8s.io', [...policies, 'validatingadmissionpolicybindings', 'mutatingadmissionpolicybindings']],
    ['authentication.k8s.io', ['selfsubjectreviews', 'tokenreviews']],
    ['authorization.k8s.io', ['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews']],
  ];
  const byGroup = new Map(excluded.map(([group, resources]) => [product.rename(group), resources]));
  return ({ group, resource }) => byGroup.get(group)?.includes(resource) ?? false;
}
