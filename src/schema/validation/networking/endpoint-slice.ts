import {
  collectErrors,
  duplicate,
  type FeatureGates,
  type FieldError,
  invalid,
  isDns1123Subdomain,
  isLabelValue,
  type NameRule,
  parseIp,
  required,
  tooMany,
  validateFullyQualifiedDomainName,
  validateIp,
  validateLegacyIp,
} from '../../../meta/index.ts';
import type { discoveryv1 } from '../../api/index.ts';
import { isSemanticallyEqual } from '../accessors.ts';
import {
  type Errors,
  none,
  validateDnsLabel,
  validateDnsSubdomain,
  validateImmutable,
  validateNameWith,
  validateOptionalOneOf,
  validateQualifiedName,
  validateRequiredOneOf,
} from '../checks.ts';
import { protocols, validateEndpointIp } from '../core/services/endpoints.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateLabels } from '../metadata.ts';
import { validateFullMetadata } from '../update-validators.ts';

const kind = { type: 'discovery.EndpointSlice', namespaced: true };
const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;

export const endpointSliceValidators = ({ gates }: ValidationContext): KindValidators => ({
  'discovery.EndpointSlice': {
    create: (slice) => validateEndpointSlice(slice, undefined, gates),
    update: (next, old) => [
      ...validateFullMetadata(kind, next),
      ...validateEndpointSlice(next, old, gates),
      ...validateImmutable(next.addressType, old.addressType, 'addressType'),
    ],
  },
});

/** Unchanged endpoints are not validated again, since rules have become stricter. */
function validateEndpointSlice(
  slice: Decoded<discoveryv1.EndpointSlice>,
  old: Decoded<discoveryv1.EndpointSlice> | undefined,
  gates: FeatureGates,
): Errors {
  const type = slice.addressType ?? '';
  const endpoints = slice.endpoints ?? [];
  return [
    ...validateRequiredOneOf(type, ['FQDN', 'IPv4', 'IPv6'], 'addressType'),
    ...validateSlicePorts(slice.ports ?? [], 'ports'),
    ...(old && isSemanticallyEqual(slice.endpoints, old.endpoints) ? none : validateEndpoints(endpoints, type, gates)),
  ];
}

function validateEndpoints(endpoints: readonly Decoded<discoveryv1.Endpoint>[], type: string, gates: FeatureGates): Errors {
  if (endpoints.length > maxEndpoints) return [tooMany('endpoints', endpoints.length, maxEndpoints)];
  return collectErrors(endpoints, (endpoint, index) => validateEndpoint(endpoint, addressOfType(type, gates), `endpoints[${index}]`));
}

type AddressRule = (address: string, path: string, index: number) => Errors;

function validateEndpoint(endpoint: Decoded<discoveryv1.Endpoint>, addressRule: AddressRule, path: string): Errors {
  const addresses = endpoint.addresses ?? [];
  const [node, hostname] = [endpoint.nodeName, endpoint.hostname];
  const at = `${path}.addresses`;
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(required(at, 'must contain at least 1 address'));
  if (addresses.length > maxAddresses) errors.push(tooMany(at, addresses.length, maxAddresses));
  for (const [index, address] of addresses.entries()) errors.push(...addressRule(address, at, index));
  if (node !== undefined) errors.push(...validateDnsSubdomain(node, `${path}.nodeName`));
  errors.push(...validateLabels(endpoint.deprecatedTopology ?? {}, `${path}.deprecatedTopology`));
  if (hostname !== undefined) errors.push(...validateDnsLabel(hostname, `${path}.hostname`));
  return [...errors, ...validateHints(endpoint.hints ?? {}, `${path}.hints`)];
}

const maxHints = 8;

/** Topology hints of an endpoint. Too many hints of one type end the validation. */
function validateHints(given: Decoded<discoveryv1.EndpointHints>, path: string): Errors {
  const [zones, nodes] = [given.forZones ?? [], given.forNodes ?? []];
  if (zones.length > maxHints) return [tooMany(`${path}.forZones`, zones.length, maxHints)];
  const ofZones = validateHintNames(zones, `${path}.forZones`, isLabelValue);
  if (nodes.length > maxHints) return [...ofZones, tooMany(`${path}.forNodes`, nodes.length, maxHints)];
  return [...ofZones, ...validateHintNames(nodes, `${path}.forNodes`, isDns1123Subdomain)];
}

function validateHintNames(list: readonly Decoded<discoveryv1.ForZone>[], path: string, rule: NameRule): Errors {
  const seen = new Set<string>();
  return collectErrors(list, (hint, index) => {
    const [name, at] = [hint.name ?? '', `${path}[${index}].name`];
    const again = seen.has(name) ? [duplicate(at, name)] : none;
    seen.add(name);
    return [...again, ...validateNameWith(rule, name, at)];
  });
}

function addressOfType(type: string, gates: FeatureGates): AddressRule {
  if (type === 'FQDN') return (address, path, index) => validateFullyQualifiedDomainName(`${path}[${index}]`, address);
  if (type !== 'IPv4' && type !== 'IPv6') return () => none;
  return (address, path, index) => {
    const at = `${path}[${index}]`;
    const wrong = type === 'IPv6' ? validateIp(at, address) : validateLegacyIp(at, address, gates);
    if (wrong.length > 0) return wrong;
    const other = parseIp(address)?.family === type ? none : [invalid(path, address, `must be an ${type} address`)];
    return [...other, ...validateEndpointIp(address, at)];
  };
}

function validateSlicePorts(ports: readonly Decoded<discoveryv1.EndpointPort>[], path: string): Errors {
  if (ports.length > maxPorts) return [tooMany(path, ports.length, maxPorts)];
  const seen = new Set<string>();
  return collectErrors(ports, (port, index) => {
    const at = `${path}[${index}]`;
    const [name, application] = [port.name ?? '', port.appProtocol];
    const again = seen.has(name) ? [duplicate(`${at}.name`, name)] : none;
    seen.add(name);
    return [
      ...(name === '' ? none : validateDnsLabel(name, `${at}.name`)),
      ...again,
      ...validateOptionalOneOf(port, 'protocol', protocols, at),
      ...(application === undefined ? none : validateQualifiedName(application, `${at}.appProtocol`)),
    ];
  });
}
