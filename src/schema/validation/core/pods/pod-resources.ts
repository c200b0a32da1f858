import { collectErrors, duplicate, forbiddenField, invalid, required } from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { sumPodResources } from '../../../sum-pod-resources.ts';
import { type Errors, none, validateDnsLabel, validateDnsSubdomain } from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import { goResourceClaim, toGoValue } from '../../go-values.ts';
import { isGreaterAmount, isHugePage, validatePodResourceName } from '../quotas/resource-names.ts';
import { type PodParts, validateResources } from './containers.ts';
import { systemOf } from './windows.ts';

/** Pod-level resources; no container may exceed them. Cf. upstream validatePodResources. */
export function validatePodResources(spec: Decoded<corev1.PodSpec>, parts: Pick<PodParts, 'context' | 'claims'>, path: string): Errors {
  const given = spec.resources;
  if (!given) return none;
  if (systemOf(spec) === 'windows') return [forbiddenField(path, 'may not be set for a windows pod')];
  return [
    ...('claims' in given ? [forbiddenField(`${path}.claims`, 'claims may not be set for Resources at pod-level')] : none),
    ...validateResources(given, parts, path, validatePodResourceName),
    ...validateWithinPodResources(spec, given, path),
  ];
}

function validateWithinPodResources(spec: Decoded<corev1.PodSpec>, given: Decoded<corev1.ResourceRequirements>, path: string): Errors {
  const [limits, requests] = [given.limits ?? {}, given.requests ?? {}];
  const errors: Errors[number][] = [];
  for (const [name, total] of Object.entries(sumPodResources(spec, 'requests'))) {
    const own = requests[name];
    if (typeof own === 'string' && isGreaterAmount(String(total), own))
      errors.push(invalid(`${path}.requests[${name}]`, own, `must be greater than or equal to aggregate container requests of ${total}`));
  }
  for (const [name, total] of Object.entries(sumPodResources(spec, 'limits'))) {
    const own = limits[name];
    if (isHugePage(name) && typeof own === 'string' && isGreaterAmount(String(total), own))
      errors.push(invalid(`${path}.limits[${name}]`, own, `must be greater than or equal to aggregate container limits of ${total}`));
  }
  for (const [index, container] of (spec.containers ?? []).entries()) {
    for (const [name, limit] of Object.entries(container.resources?.limits ?? {})) {
      const own = limits[name];
      if (typeof own === 'string' && isGreaterAmount(String(limit), own))
        errors.push(
          invalid(`${path}.containers[${index}][${name}].limits`, String(limit), `must be less than or equal to pod limits of ${own}`),
        );
    }
  }
  return errors;
}

/** Resource claims that containers of the pod may refer to. */
export function validateResourceClaims(spec: Decoded<corev1.PodSpec>, path: string): Errors {
  const seen = new Set<string>();
  return collectErrors(spec.resourceClaims ?? [], (claim, index) => {
    const at = `${path}[${index}]`;
    const name = claim.name ?? '';
    const [own, template] = [claim.resourceClaimName, claim.resourceClaimTemplateName];
    const errors =
      name === ''
        ? [required(`${at}.name`, '')]
        : seen.has(name)
          ? [duplicate(`${at}.name`, name)]
          : [...validateDnsLabel(name, `${at}.name`)];
    seen.add(name);
    const shown = toGoValue(claim, goResourceClaim);
    if (own !== undefined && template !== undefined)
      errors.push(invalid(at, shown, 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'));
    if (own === undefined && template === undefined)
      errors.push(invalid(at, shown, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'));
    if (own !== undefined) errors.push(...validateDnsSubdomain(own, `${at}.resourceClaimName`));
    if (template !== undefined) errors.push(...validateDnsSubdomain(template, `${at}.resourceClaimTemplateName`));
    return errors;
  });
}
