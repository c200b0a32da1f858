import {
  collectErrors,
  type FeatureGates,
  type FieldError,
  invalid,
  isDns1123Subdomain,
  parseIp,
  required,
  validateLegacyIp,
} from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { isSemanticallyEqual } from '../../accessors.ts';
import {
  type Errors,
  none,
  validateDnsLabel,
  validateNameWith,
  validateOneOf,
  validatePortNumber,
  validateQualifiedName,
} from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import type { KindValidators, ValidationContext } from '../../kind-validator.ts';
import { validateFullMetadata, validateObjectMetaUpdate } from '../../update-validators.ts';

export const protocols = ['SCTP', 'TCP', 'UDP'] as const;

const kind = { type: 'core.Endpoints', namespaced: true };

/** Unchanged subsets are not validated again. */
export function endpointsValidators({ gates }: ValidationContext): KindValidators {
  return {
    'core.Endpoints': {
      create: (object) => validateEndpoints(object, gates),
      update: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...validateFullMetadata(kind, next),
        ...(isSemanticallyEqual(next.subsets, old.subsets) ? none : validateEndpoints(next, gates)),
      ],
    },
  };
}

function validateEndpoints(object: Decoded<corev1.Endpoints>, gates: FeatureGates): Errors {
  return collectErrors(object.subsets ?? [], (subset, index) => {
    const path = `subsets[${index}]`;
    const [ready, notReady, ports] = [subset.addresses ?? [], subset.notReadyAddresses ?? [], subset.ports ?? []];
    return [
      ...(ready.length + notReady.length === 0 ? [required(path, 'must specify `addresses` or `notReadyAddresses`')] : none),
      ...collectErrors(ready, (address, at) => validateEndpointAddress(address, `${path}.addresses[${at}]`, gates)),
      ...collectErrors(notReady, (address, at) => validateEndpointAddress(address, `${path}.notReadyAddresses[${at}]`, gates)),
      ...collectErrors(ports, (port, at) => validateEndpointPort(port, ports.length > 1, `${path}.ports[${at}]`)),
    ];
  });
}

function validateEndpointAddress(address: Decoded<corev1.EndpointAddress>, path: string, gates: FeatureGates): Errors {
  const [ip, hostname, node] = [address.ip ?? '', address.hostname ?? '', address.nodeName];
  return [
    ...validateLegacyIp(`${path}.ip`, ip, gates),
    ...(hostname === '' ? none : validateDnsLabel(hostname, `${path}.hostname`)),
    ...(node === undefined ? none : validateNameWith(isDns1123Subdomain, node, `${path}.nodeName`)),
    ...validateEndpointIp(ip, `${path}.ip`),
  ];
}

/** Loopback, link-local and similar addresses are not valid endpoints. Cf. upstream ValidateEndpointIP. */
export function validateEndpointIp(ip: string, path: string): Errors {
  const address = parseIp(ip);
  if (!address) return [invalid(path, ip, 'must be a valid IP address')];
  const { bytes, family } = address;
  const [first = 0, second = 0, third = 0] = bytes;
  const v4 = family === 'IPv4';
  const last = bytes.at(-1);
  const allZeroBut = (end: number): boolean => bytes.slice(0, -1).every((byte) => byte === 0) && last === end;
  const errors: FieldError[] = [];
  if (allZeroBut(0)) errors.push(invalid(path, ip, 'may not be unspecified (0.0.0.0 or ::)'));
  if (v4 ? first === 127 : allZeroBut(1)) errors.push(invalid(path, ip, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'));
  if (v4 ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80) {
    errors.push(invalid(path, ip, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'));
  }
  if (v4 ? first === 224 && second === 0 && third === 0 : first === 0xff && (second & 0x0f) === 2) {
    errors.push(invalid(path, ip, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'));
  }
  return errors;
}

function validateEndpointPort(port: Decoded<corev1.EndpointPort>, nameRequired: boolean, path: string): Errors {
  const [name, protocol, application] = [port.name ?? '', port.protocol ?? '', port.appProtocol];
  return [
    ...(name !== '' ? validateDnsLabel(name, `${path}.name`) : nameRequired ? [required(`${path}.name`, '')] : none),
    ...validatePortNumber(port.port ?? 0, `${path}.port`),
    ...(protocol === '' ? [required(`${path}.protocol`, '')] : validateOneOf(protocol, protocols, `${path}.protocol`)),
    ...(application === undefined ? none : validateQualifiedName(application, `${path}.appProtocol`)),
  ];
}
