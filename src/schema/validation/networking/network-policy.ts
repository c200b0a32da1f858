import {
  collectErrors,
  forbiddenField,
  invalid,
  isPortName,
  type JsonObject,
  parseCidr,
  required,
  validateLegacyCidr,
} from '../../../meta/index.ts';
import type { networkingv1 } from '../../api/index.ts';
import { objectsAt, optionalRecordAt } from '../accessors.ts';
import { type Errors, none, validateLabelSelector, validateNameWith, validateOneOf, validatePortNumber } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateAllFirstOnUpdate } from '../update-validators.ts';

const kind = { type: 'networking.NetworkPolicy', namespaced: true };

/** Validates an address range. */
type RangeRule = (path: string, range: string) => Errors;

/** On update upstream validates everything twice; the second time, ranges of the stored policy pass. */
export function networkPolicyValidators({ gates }: ValidationContext): KindValidators {
  const validate = (policy: JsonObject, known: readonly string[] = []): Errors =>
    validateNetworkPolicy(policy, (path, range) => validateLegacyCidr(path, range, gates, known));
  return {
    'networking.NetworkPolicy': validateAllFirstOnUpdate(
      kind,
      (policy) => validate(policy),
      (next, old) => validate(next, rangesOf(old)),
    ),
  };
}

function rangesOf(policy: Decoded<networkingv1.NetworkPolicy>): readonly string[] {
  const spec = policy.spec ?? {};
  const peers = [...(spec.ingress ?? []).flatMap((rule) => rule.from ?? []), ...(spec.egress ?? []).flatMap((rule) => rule.to ?? [])];
  return peers.flatMap((peer) => {
    const block = peer.ipBlock ?? {};
    return [block.cidr ?? '', ...(block.except ?? [])];
  });
}

const maxTypes = 2;

function validateNetworkPolicy(object: Decoded<networkingv1.NetworkPolicy>, rangeRule: RangeRule): Errors {
  const spec = object.spec ?? {};
  const types = spec.policyTypes ?? [];
  return [
    ...validateLabelSelector(spec.podSelector, 'spec.podSelector'),
    ...collectErrors(spec.ingress ?? [], (rule, index) => validatePolicyRule(rule, 'from', `spec.ingress[${index}]`, rangeRule)),
    ...collectErrors(spec.egress ?? [], (rule, index) => validatePolicyRule(rule, 'to', `spec.egress[${index}]`, rangeRule)),
    ...(types.length > maxTypes
      ? [invalid('spec.policyTypes', types, 'may not specify more than two policyTypes')]
      : collectErrors(types, (type, index) => validateOneOf(type, ['Ingress', 'Egress'], `spec.policyTypes[${index}]`))),
  ];
}

function validatePolicyRule(rule: JsonObject, peers: string, path: string, rangeRule: RangeRule): Errors {
  return [
    ...collectErrors(objectsAt(rule, 'ports'), (port, index) => validatePolicyPort(port, `${path}.ports[${index}]`)),
    ...collectErrors(objectsAt(rule, peers), (peer, index) => validatePolicyPeer(peer, `${path}.${peers}[${index}]`, rangeRule)),
  ];
}

function validatePolicyPort(given: Decoded<networkingv1.NetworkPolicyPort>, path: string): Errors {
  const port = given.port;
  const end = given.endPort;
  const at = `${path}.endPort`;
  const protocol = validateOneOf(given.protocol, ['TCP', 'UDP', 'SCTP'], `${path}.protocol`);
  if (port === undefined)
    return [...protocol, ...(end === undefined ? none : [invalid(at, end, 'may not be specified when `port` is not specified')])];
  if (typeof port === 'string') {
    const range = end === undefined ? none : [invalid(at, end, 'may not be specified when `port` is non-numeric')];
    return [...protocol, ...range, ...validateNameWith(isPortName, port, `${path}.port`)];
  }
  const number = Number(port);
  // Upstream shows the port rather than the end port.
  const order = end !== undefined && end < number ? [invalid(at, number, 'must be greater than or equal to `port`')] : none;
  return [
    ...protocol,
    ...validatePortNumber(number, `${path}.port`),
    ...order,
    ...(end === undefined ? none : validatePortNumber(end, at)),
  ];
}

function validatePolicyPeer(peer: Decoded<networkingv1.NetworkPolicyPeer>, path: string, rangeRule: RangeRule): Errors {
  const [pods, namespaces, block] = ['podSelector', 'namespaceSelector', 'ipBlock'].map((field) => optionalRecordAt(peer, field));
  const errors = [
    ...validateLabelSelector(pods, `${path}.podSelector`),
    ...validateLabelSelector(namespaces, `${path}.namespaceSelector`),
    ...(block ? validateIpBlock(block, `${path}.ipBlock`, rangeRule) : none),
  ];
  if (!pods && !namespaces && !block) return [...errors, required(path, 'must specify a peer')];
  return block && (pods || namespaces) ? [...errors, forbiddenField(path, 'may not specify both ipBlock and another peer')] : errors;
}

function validateIpBlock(block: Decoded<networkingv1.IPBlock>, path: string, rangeRule: RangeRule): Errors {
  const range = block.cidr ?? '';
  if (range === '') return [required(`${path}.cidr`, '')];
  const wrong = rangeRule(`${path}.cidr`, range);
  if (!parseCidr(range)) return wrong;
  const excepted = collectErrors(block.except ?? [], (except, index) => {
    const at = `${path}.except[${index}]`;
    const outside = parseCidr(except) !== undefined && !isInside(except, range);
    return [...rangeRule(at, except), ...(outside ? [invalid(at, except, 'must be a strict subset of `cidr`')] : none)];
  });
  return [...wrong, ...excepted];
}

function isInside(inner: string, outer: string): boolean {
  const [small, large] = [parseCidr(inner), parseCidr(outer)];
  if (!small || !large || small.address.family !== large.address.family || small.prefixLength <= large.prefixLength) return false;
  return large.address.bytes.every((byte, index) => {
    const bits = Math.min(8, Math.max(0, large.prefixLength - index * 8));
    const mask = 0xff & ~(0xff >> bits);
    return (byte & mask) === ((small.address.bytes[index] ?? 0) & mask);
  });
}
