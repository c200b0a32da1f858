import { collectErrors, invalid, isPathSegmentName, parseCidr, required, validateCidr } from '../../../meta/index.ts';
import type { networkingv1 } from '../../api/index.ts';
import { createStructImmutability, type Errors, none, validateDnsSubdomain, validateNameWith } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateAllFirstOnUpdate, validateObjectMetaUpdate } from '../update-validators.ts';

/** IPAddress and ServiceCIDR. Cf. upstream networking ValidateIPAddress, ValidateServiceCIDR. */
export function serviceAddressValidators(context: ValidationContext): KindValidators {
  const fixed = createStructImmutability(context, 'networking/v1.ParentReference');
  return {
    'networking.IPAddress': validateAllFirstOnUpdate(
      { type: 'networking.IPAddress', namespaced: false },
      (address) => validateParentReference(address.spec?.parentRef, 'spec.parentRef'),
      (next, old) => fixed(next.spec?.parentRef, old.spec?.parentRef, 'spec.parentRef'),
    ),
    'networking.ServiceCIDR': {
      create: (object) => validateRanges(object.spec ?? {}),
      update: (next, old) => [...validateObjectMetaUpdate(next, old), ...validateRangesUpdate(next.spec ?? {}, old.spec?.cidrs ?? [])],
      updateStatus: validateObjectMetaUpdate,
    },
  };
}

function validateParentReference(reference: Decoded<networkingv1.ParentReference> | undefined, path: string): Errors {
  if (!reference) return [required(path, '')];
  const [group, namespace] = [reference?.group ?? '', reference?.namespace ?? ''];
  return [
    ...(group === '' ? none : validateDnsSubdomain(group, `${path}.group`)),
    ...(['resource', 'name'] as const).flatMap((field) => {
      const value = reference[field] ?? '';
      return value === '' ? [required(`${path}.${field}`, '')] : validateNameWith(isPathSegmentName, value, `${path}.${field}`);
    }),
    ...(namespace === '' ? none : validateNameWith(isPathSegmentName, namespace, `${path}.namespace`)),
  ];
}

const path = 'spec.cidrs';
const maxRanges = 2;

/** One CIDR, or one of each family. */
function validateRanges(spec: Decoded<networkingv1.ServiceCIDRSpec>): Errors {
  const cidrs = spec.cidrs ?? [];
  if (cidrs.length === 0) return [required(path, 'at least one CIDR required')];
  if (cidrs.length > maxRanges) return [invalid(path, { CIDRs: cidrs }, 'may only hold up to 2 values')];
  const [first, second] = cidrs.map((cidr) => parseCidr(cidr)?.address.family);
  const isTwice = cidrs.length === maxRanges && first !== undefined && first === second;
  const why = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
  return [
    ...collectErrors(cidrs, (cidr, index) => validateCidr(`${path}[${index}]`, cidr)),
    ...(isTwice ? [invalid(path, cidrs, why)] : none),
  ];
}

/** Only a CIDR of the second family may be added. */
function validateRangesUpdate(spec: Decoded<networkingv1.ServiceCIDRSpec>, old: readonly string[]): Errors {
  const cidrs = spec.cidrs ?? [];
  const changed = collectErrors(old, (before, index) =>
    cidrs[index] === before ? none : [invalid(`${path}[${index}]`, cidrs[index], 'field is immutable')],
  );
  if (cidrs.length === old.length) return changed;
  if (old.length === 1 && cidrs.length === maxRanges) return [...changed, ...validateRanges(spec)];
  return [invalid(path, spec.cidrs, 'field is immutable')];
}
