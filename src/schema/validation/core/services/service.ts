import {
  collectErrors,
  duplicate,
  type FeatureGates,
  forbiddenField,
  invalid,
  isDns1123Subdomain,
  parseIp,
  repeatedIndexes,
  required,
  validateLegacyIp,
} from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import {
  type Errors,
  none,
  unsupported,
  validateDnsLabel,
  validateNameWith,
  validateOneOf,
  validatePortNumber,
  validatePortNumberOrName,
  validateQualifiedName,
  validateRequiredOneOf,
} from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import type { KindValidators, ValidationContext } from '../../kind-validator.ts';
import { validateLabels } from '../../metadata.ts';
import { validateObjectMetaUpdate } from '../../update-validators.ts';
import { protocols, validateEndpointIp } from './endpoints.ts';
import { loadBalancerOnlyError, validateAnnotatedRanges, validateLoadBalancerStatus, validateSourceRanges } from './service-balancer.ts';

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'] as const;
const families = ['IPv4', 'IPv6'] as const;
const kubeletPort = 10_250;
const maxAffinitySeconds = 86_400;

/** Cf. upstream ValidateService. The allocator reports addresses and ports in use. */
export function serviceValidators({ rename, gates }: ValidationContext): KindValidators {
  const rules: ServiceRules = {
    gates,
    rangesAnnotation: rename('service.beta.kubernetes.io/load-balancer-source-ranges'),
    topologyMode: rename('service.kubernetes.io/topology-mode'),
    topologyAwareHints: rename('service.kubernetes.io/topology-aware-hints'),
    distributions: gates.enabled('PreferSameTrafficDistribution') ? ['PreferClose', 'PreferSameZone', 'PreferSameNode'] : ['PreferClose'],
  };
  return {
    'core.Service': {
      create: (service) => validateIps(service, undefined, gates) ?? validateServiceFields(service, undefined, rules),
      update: (next, old) =>
        validateIps(next, old, gates) ?? [
          ...validateObjectMetaUpdate(next, old),
          ...validateAddressUpdate(next.spec ?? {}, old.spec ?? {}),
          ...validateBalancerClass(next.spec ?? {}, old.spec ?? {}),
          ...validateHealthPortUpdate(next.spec ?? {}, old.spec ?? {}),
          ...validateServiceFields(next, old, rules),
        ],
      updateStatus: (next, old) => [...validateObjectMetaUpdate(next, old), ...validateLoadBalancerStatus(next, old, gates)],
    },
  };
}

/** The allocator validates addresses first, and stops there. */
function validateIps(service: Decoded<corev1.Service>, old: Decoded<corev1.Service> | undefined, gates: FeatureGates): Errors | undefined {
  const errors = validateClusterAddresses(service.spec ?? {}, old?.spec ?? {}, gates);
  return errors.length > 0 ? errors : undefined;
}

/** Inputs of the rules from the product and its gates. */
interface ServiceRules {
  readonly gates: FeatureGates;
  readonly rangesAnnotation: string;
  readonly topologyMode: string;
  /** The deprecated name of `topologyMode`. */
  readonly topologyAwareHints: string;
  readonly distributions: readonly string[];
}

function validateServiceFields(service: Decoded<corev1.Service>, old: Decoded<corev1.Service> | undefined, rules: ServiceRules): Errors {
  const [spec, before] = [service.spec ?? {}, old?.spec ?? {}];
  const type = spec.type ?? '';
  const ports = spec.ports ?? [];
  return [
    ...validateTopologyMode(service.metadata?.annotations ?? {}, rules),
    ...(ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName' ? [required('spec.ports', '')] : none),
    ...validateServiceType(spec, type),
    ...validateServicePorts(ports, 'spec.ports'),
    ...validateLabels(spec.selector ?? {}, 'spec.selector'),
    ...validateSessionAffinity(spec),
    ...validateClusterAddresses(spec, before, rules.gates),
    ...validateExternalAddresses(spec, before, rules.gates),
    ...validateRequiredOneOf(type, types, 'spec.type'),
    ...validateNodePorts(ports, type),
    ...validateUniquePorts(ports),
    ...validateSourceRanges(spec, before, rules.gates),
    ...validateAnnotatedRanges(service, old, rules),
    ...validateLoadBalancerOnlyFields(spec, type),
    ...validateTrafficPolicies(spec, type, rules.distributions),
  ];
}

function validateTopologyMode(
  annotations: Decoded<Readonly<Record<string, string>>>,
  { topologyMode, topologyAwareHints }: ServiceRules,
): Errors {
  const [mode, hints] = [annotations[topologyMode], annotations[topologyAwareHints]];
  if (mode === undefined || hints === undefined || mode === hints) return none;
  return [invalid(`metadata.annotations[${topologyMode}]`, mode, `must match annotations[${topologyAwareHints}] when both are specified`)];
}

function isHeadless(spec: Decoded<corev1.ServiceSpec>): boolean {
  const addresses = spec.clusterIPs ?? [];
  return addresses.length === 1 && addresses[0] === 'None';
}

function validateServiceType(spec: Decoded<corev1.ServiceSpec>, type: string): Errors {
  const headless = (name: string): Errors =>
    isHeadless(spec) ? [invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${name} services`)] : none;
  switch (type) {
    case 'LoadBalancer':
      return [
        ...collectErrors(spec.ports ?? [], (port, index) =>
          port.port === kubeletPort
            ? [
                invalid(
                  `spec.ports[${index}].port`,
                  kubeletPort,
                  `may not expose port ${kubeletPort} externally since it is used by kubelet`,
                ),
              ]
            : none,
        ),
        ...headless(type),
      ];
    case 'NodePort':
      return headless(type);
    case 'ExternalName':
      return validateExternalName(spec);
    default:
      return none;
  }
}

function validateExternalName(spec: Decoded<corev1.ServiceSpec>): Errors {
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  const set = [
    ...(['clusterIPs', 'ipFamilies'] as const).filter((field) => spec[field]?.length),
    ...(spec.ipFamilyPolicy === undefined ? [] : ['ipFamilyPolicy']),
  ];
  return [
    ...set.map((field) => forbiddenField(`spec.${field}`, 'may not be set for ExternalName services')),
    ...(name === '' ? [required('spec.externalName', '')] : validateNameWith(isDns1123Subdomain, name, 'spec.externalName')),
  ];
}

function validateServicePorts(ports: readonly Decoded<corev1.ServicePort>[], path: string): Errors {
  const seen = new Set<string>();
  return collectErrors(ports, (port, index) => {
    const at = `${path}[${index}]`;
    const [name, application] = [port.name ?? '', port.appProtocol];
    const again = name !== '' && seen.has(name) ? [duplicate(`${at}.name`, name)] : none;
    seen.add(name);
    return [
      ...(name !== '' ? [...validateDnsLabel(name, `${at}.name`), ...again] : ports.length > 1 ? [required(`${at}.name`, '')] : none),
      ...validatePortNumber(port.port ?? 0, `${at}.port`),
      ...validateRequiredOneOf(port.protocol ?? '', protocols, `${at}.protocol`),
      ...validatePortNumberOrName(port.targetPort, `${at}.targetPort`),
      ...(application === undefined ? none : validateQualifiedName(application, `${at}.appProtocol`)),
    ];
  });
}

function validateSessionAffinity(spec: Decoded<corev1.ServiceSpec>): Errors {
  const given = spec.sessionAffinity ?? '';
  const config = spec.sessionAffinityConfig;
  const path = 'spec.sessionAffinityConfig';
  const errors = [...validateRequiredOneOf(given, ['ClientIP', 'None'], 'spec.sessionAffinity')];
  if (given === 'None' && config) errors.push(forbiddenField(path, 'must not be set when session affinity is None'));
  if (given !== 'ClientIP') return errors;
  const seconds = config?.clientIP?.timeoutSeconds;
  if (seconds === undefined) return [...errors, required(`${path}.clientIP.timeoutSeconds`, 'when session affinity type is ClientIP')];
  if (seconds > 0 && seconds <= maxAffinitySeconds) return errors;
  return [...errors, invalid(`${path}.clientIP.timeoutSeconds`, seconds, `must be greater than 0 and less than ${maxAffinitySeconds}`)];
}

const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy. Cf. upstream ValidateServiceClusterIPsRelatedFields. */
function validateClusterAddresses(spec: Decoded<corev1.ServiceSpec>, old: Decoded<corev1.ServiceSpec>, gates: FeatureGates): Errors {
  if ((spec.type ?? '') === 'ExternalName') return none;
  const [single, addresses, given] = [spec.clusterIP ?? '', spec.clusterIPs ?? [], spec.ipFamilies ?? []];
  const path = 'spec.clusterIPs';
  const errors = [...validateFirstAddress(single, addresses, path), ...validateIpFamilies(given)];
  errors.push(...validateOneOf(spec.ipFamilyPolicy, policies, 'spec.ipFamilyPolicy'));
  const known = old.clusterIPs ?? [];
  const wrong = collectErrors(addresses, (address, index) => {
    if (index === 0 && address === 'None') {
      return addresses.length > 1 ? [invalid(path, addresses, "'None' must be the first and only value")] : none;
    }
    return validateLegacyIp(`${path}[${index}]`, address, gates, known);
  });
  errors.push(...wrong);
  if (addresses.length > 2) errors.push(invalid(path, addresses, 'may only hold up to 2 values'));
  if (wrong.length > 0) return errors;
  return [...errors, ...validateAddressFamilies(addresses, given, path)];
}

function validateFirstAddress(single: string, addresses: readonly string[], path: string): Errors {
  if (single === '') return addresses.length > 0 ? [invalid(path, addresses, 'must be empty when `clusterIP` is not specified')] : none;
  if (addresses.length === 0) return [required(path, '')];
  return addresses[0] === single ? none : [invalid(path, addresses, 'first value must match `clusterIP`')];
}

function validateIpFamilies(given: readonly string[]): Errors {
  const repeated = repeatedIndexes(given);
  return collectErrors(given, (family, index) => {
    const path = `spec.ipFamilies[${index}]`;
    return [...validateOneOf(family, families, path), ...(repeated.has(index) ? [duplicate(path, family)] : none)];
  });
}

function validateAddressFamilies(addresses: readonly string[], given: readonly string[], path: string): Errors {
  if (addresses[0] === 'None') return none;
  const actual = addresses.map((address) => parseIp(address)?.family);
  const errors = [];
  if (addresses.length === 2 && actual[0] === actual[1])
    errors.push(invalid(path, addresses, 'may specify no more than one IP for each IP family'));
  for (const [index, family] of given.entries()) {
    const address = addresses[index];
    if (address === undefined || actual[index] === family || !families.some((one) => one === family)) continue;
    const an = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    errors.push(invalid(`${path}[${index}]`, address, an));
  }
  return errors;
}

function validateExternalAddresses(spec: Decoded<corev1.ServiceSpec>, old: Decoded<corev1.ServiceSpec>, gates: FeatureGates): Errors {
  const known = old.externalIPs ?? [];
  return collectErrors(spec.externalIPs ?? [], (address, index) => {
    const path = `spec.externalIPs[${index}]`;
    const wrong = validateLegacyIp(path, address, gates, known);
    return wrong.length > 0 ? wrong : validateEndpointIp(address, path);
  });
}

function validateNodePorts(ports: readonly Decoded<corev1.ServicePort>[], type: string): Errors {
  const isUnused = type === 'ClusterIP';
  const unused = "may not be used when `type` is 'ClusterIP'";
  return [
    ...collectErrors(ports, ({ nodePort = 0 }, index) =>
      isUnused && nodePort !== 0 ? [forbiddenField(`spec.ports[${index}].nodePort`, unused)] : none,
    ),
    ...validateUniqueNodePorts(ports),
  ];
}

function validateUniqueNodePorts(ports: readonly Decoded<corev1.ServicePort>[]): Errors {
  const seen = new Set<string>();
  return collectErrors(ports, (port, index) => {
    const number = port.nodePort ?? 0;
    if (number === 0) return none;
    const path = `spec.ports[${index}].nodePort`;
    const id = `${port.protocol ?? ''}/${number}`;
    const again = seen.has(id) ? [duplicate(path, number)] : none;
    seen.add(id);
    return again;
  });
}

function validateUniquePorts(ports: readonly Decoded<corev1.ServicePort>[]): Errors {
  const seen = new Set<string>();
  return collectErrors(ports, (port, index) => {
    const id = `${port.protocol ?? ''}/${port.port}`;
    // Upstream shows its internal struct.
    const shown = {
      Name: '',
      Protocol: port.protocol ?? '',
      AppProtocol: null,
      Port: port.port ?? 0,
      TargetPort: 0,
      NodePort: 0,
    };
    const again = seen.has(id) ? [duplicate(`spec.ports[${index}]`, shown)] : none;
    seen.add(id);
    return again;
  });
}

function validateLoadBalancerOnlyFields(spec: Decoded<corev1.ServiceSpec>, type: string): Errors {
  const allocates = spec.allocateLoadBalancerNodePorts;
  const path = 'spec.allocateLoadBalancerNodePorts';
  const errors = [];
  if (allocates !== undefined && type !== 'LoadBalancer') errors.push(forbiddenField(path, loadBalancerOnlyError));
  if (allocates === undefined && type === 'LoadBalancer') errors.push(required(path, 'field must be true or false'));
  return [...errors, ...validateBalancerClass(spec, undefined)];
}

function validateBalancerClass(spec: Decoded<corev1.ServiceSpec>, old: Decoded<corev1.ServiceSpec> | undefined): Errors {
  const path = 'spec.loadBalancerClass';
  const [name, before] = [spec.loadBalancerClass, old?.loadBalancerClass];
  const stays = (spec.type ?? '') === 'LoadBalancer' && (old?.type ?? '') === 'LoadBalancer';
  if (old && stays && name !== before) return [invalid(path, name, 'may not change once set')];
  if (name === undefined) return none;
  if ((spec.type ?? '') !== 'LoadBalancer') return [forbiddenField(path, loadBalancerOnlyError)];
  return validateQualifiedName(name, path);
}

function validateTrafficPolicies(spec: Decoded<corev1.ServiceSpec>, type: string, distributions: readonly string[]): Errors {
  const external = spec.externalTrafficPolicy;
  const healthPort = spec.healthCheckNodePort ?? 0;
  const fromOutside = type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);
  const errors = [];
  const values = ['Cluster', 'Local'];
  if (!fromOutside && external !== undefined) {
    errors.push(invalid('spec.externalTrafficPolicy', external, 'may only be set for externally-accessible services'));
  } else if (fromOutside && external === undefined) errors.push(required('spec.externalTrafficPolicy', ''));
  else errors.push(...validateOneOf(external, values, 'spec.externalTrafficPolicy'));
  const needsHealthPort = hasHealthPort(spec);
  if (!needsHealthPort && healthPort !== 0) {
    const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(invalid('spec.healthCheckNodePort', healthPort, why));
  }
  // A missing port was allocated before this check.
  if (needsHealthPort && healthPort !== 0) errors.push(...validatePortNumber(healthPort, 'spec.healthCheckNodePort'));
  const internal = spec.internalTrafficPolicy;
  if (internal === undefined) {
    if (types.some((one) => one === type) && type !== 'ExternalName') errors.push(required('spec.internalTrafficPolicy', ''));
  } else if (!values.includes(internal)) errors.push(unsupported('spec.internalTrafficPolicy', internal, values));
  errors.push(...validateOneOf(spec.trafficDistribution, distributions, 'spec.trafficDistribution'));
  return errors;
}

function hasHealthPort({ type, externalTrafficPolicy }: Decoded<corev1.ServiceSpec>): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

function validateHealthPortUpdate(spec: Decoded<corev1.ServiceSpec>, old: Decoded<corev1.ServiceSpec>): Errors {
  const changes = hasHealthPort(spec) && hasHealthPort(old) && spec.healthCheckNodePort !== old.healthCheckNodePort;
  return changes ? [forbiddenField('spec.healthCheckNodePort', 'field is immutable')] : none;
}

/** The primary address and family are immutable. Cf. upstream validateUpgradeDowngradeClusterIPs. */
function validateAddressUpdate(spec: Decoded<corev1.ServiceSpec>, old: Decoded<corev1.ServiceSpec>): Errors {
  if ((spec.type ?? '') === 'ExternalName' || (old.type ?? '') === 'ExternalName') return none;
  if (isHeadless(spec) && isHeadless(old)) return none;
  return [
    ...validateFixedList(spec, old, 'clusterIPs', 'primary clusterIP can not be unset'),
    ...validateFixedList(spec, old, 'ipFamilies', 'primary ipFamily can not be unset'),
  ];
}

function validateFixedList(
  spec: Decoded<corev1.ServiceSpec>,
  old: Decoded<corev1.ServiceSpec>,
  field: 'clusterIPs' | 'ipFamilies',
  unset: string,
): Errors {
  const [now, then] = [spec[field] ?? [], old[field] ?? []];
  const path = `spec.${field}`;
  if (now.length === then.length) {
    return collectErrors(then, (one, index) =>
      one === now[index] ? none : [invalid(`${path}[${index}]`, now, 'may not change once set')],
    );
  }
  if (then.length === 0) return none;
  if (now.length === 0) return [invalid(`${path}[0]`, null, unset)];
  return now[0] === then[0] ? none : [invalid(`${path}[0]`, now, 'may not change once set')];
}
