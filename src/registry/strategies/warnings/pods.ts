import { isDns1123Label, type JsonObject, type Product, parseQuantity, quantityInteger } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { addressWarnings } from './addresses.ts';
import { annotationWarnings, profileWarnings } from './annotations.ts';
import { type DeprecatedLabels, deprecatedLabels, termLabelWarnings } from './node-labels.ts';
import { maxPodWarnings, PairBudget } from './pair-budget.ts';
import { overlappingPaths } from './volumes.ts';

/** Warnings of valid but inadvisable pod specs. Cf. upstream pkg/api/pod/warnings.go. */
export function podWarnings(pod: Decoded<corev1.PodTemplateSpec>, product: Product, path = ''): readonly string[] {
  const spec = pod.spec ?? {};
  const at = path === '' ? 'spec' : `${path}.spec`;
  const deprecated = deprecatedLabels(product);
  return [
    ...nodeLabelWarnings(spec, at, deprecated),
    ...spreadConstraintWarnings(spec, at, deprecated),
    ...annotationWarnings(pod, path, product),
    ...volumeWarnings(spec, at),
    ...overlappingPaths(spec),
    ...duplicateWarnings(
      (spec.hostAliases ?? []).map(({ ip }) => ip),
      'ip',
      `${at}.hostAliases`,
    ),
    ...duplicateWarnings(
      (spec.imagePullSecrets ?? []).map(({ name }) => name),
      'name',
      `${at}.imagePullSecrets`,
    ),
    ...(spec.imagePullSecrets ?? []).flatMap((one, index) =>
      (one.name ?? '') === '' ? [`${at}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
    ...fractionalAmountWarnings(spec.overhead ?? {}, `${at}.overhead`),
    ...profileWarnings(pod, path, product),
    ...containersWithPaths(spec, at).flatMap((placed) => [...resourceWarnings(placed), ...environmentWarnings(placed)]),
    ...portWarnings(containersWithPaths(spec, at)),
    ...gracePeriodWarnings(spec, at),
    ...affinityTermWarnings(spec, at),
    ...hostAddressWarnings(spec, at),
  ];
}

/** Warnings of addresses in the pod's DNS and hosts configuration. */
function hostAddressWarnings(spec: Decoded<corev1.PodSpec>, at: string): readonly string[] {
  const servers = spec.dnsConfig?.nameservers ?? [];
  return [
    ...servers.flatMap((server, index) => addressWarnings(`${at}.dnsConfig.nameservers[${index}]`, server)),
    ...(spec.hostAliases ?? []).flatMap((alias, index) => addressWarnings(`${at}.hostAliases[${index}].ip`, alias.ip ?? '')),
  ];
}

/** Warnings of the addresses in a pod's status. */
export function podStatusWarnings(pod: Decoded<corev1.Pod>): readonly string[] {
  const status = pod.status ?? {};
  return (['podIPs', 'hostIPs'] as const).flatMap((list) =>
    (status[list] ?? []).flatMap((one, index) => addressWarnings(`status.${list}[${index}].ip`, one.ip ?? '')),
  );
}

/** Warning of a name that is no DNS label, for kinds whose pods derive names from it. */
export function podNameWarnings(object: Decoded<Pick<corev1.Pod, 'metadata'>>, where: string): readonly string[] {
  const wrong = isDns1123Label(object.metadata?.name ?? '');
  if (wrong.length === 0) return [];
  return [
    `metadata.name: this is used in ${where}, which can result in surprising behavior; a DNS label is recommended: [${wrong.join(' ')}]`,
  ];
}

interface ContainerAtPath {
  readonly container: Decoded<corev1.Container>;
  readonly path: string;
}

function containersWithPaths(spec: Decoded<corev1.PodSpec>, at: string): readonly ContainerAtPath[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ container, path: `${at}.${list}[${index}]` })),
  );
}

function nodeLabelWarnings(spec: Decoded<corev1.PodSpec>, at: string, deprecated: DeprecatedLabels): readonly string[] {
  const selected = Object.keys(spec.nodeSelector ?? {}).flatMap((key) => {
    const text = deprecated.get(key);
    return text === undefined ? [] : [`${at}.nodeSelector[${key}]: ${text}`];
  });
  const affinity = spec.affinity?.nodeAffinity ?? {};
  const path = `${at}.affinity.nodeAffinity`;
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  return [
    ...selected,
    ...(affinity[required]?.nodeSelectorTerms ?? []).flatMap((term, index) =>
      termLabelWarnings(term, `${path}.${required}.nodeSelectorTerms[${index}]`, deprecated),
    ),
    ...(affinity[preferred] ?? []).flatMap((one, index) =>
      termLabelWarnings(one.preference ?? {}, `${path}.${preferred}[${index}].preference`, deprecated),
    ),
  ];
}

function spreadConstraintWarnings(spec: Decoded<corev1.PodSpec>, at: string, deprecated: DeprecatedLabels): readonly string[] {
  return (spec.topologySpreadConstraints ?? []).flatMap((one, index) => {
    const path = `${at}.topologySpreadConstraints[${index}]`;
    const key = one.topologyKey ?? '';
    const text = deprecated.get(key);
    return [
      ...(text === undefined ? [] : [`${path}.topologyKey: ${key} is ${text}`]),
      ...(one.labelSelector === undefined ? [`${path}.labelSelector: a null labelSelector results in matching no pod`] : []),
    ];
  });
}

/** Warning texts by deprecated volume source. */
export const deprecatedVolumes = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

function volumeWarnings(spec: Decoded<corev1.PodSpec>, at: string): readonly string[] {
  return (spec.volumes ?? []).flatMap((volume, index) => {
    const path = `${at}.volumes[${index}]`;
    const template = volume.ephemeral?.volumeClaimTemplate ?? {};
    return [
      ...deprecatedVolumes
        .filter(([source]) => volume[source] !== undefined)
        .map(([source, text]) => `${path}.${source === 'storageos' ? 'storageOS' : source}: ${text}`),
      ...claimWarnings(template.spec ?? {}, `${path}.ephemeral.volumeClaimTemplate.spec`),
    ];
  });
}

/** `path`: of the list. */
function duplicateWarnings(values: readonly (string | undefined)[], member: string, path: string): readonly string[] {
  const seen = new Set<string>();
  return values.flatMap((value = '', index) => {
    if (seen.has(value)) return [`${path}[${index}].${member}: duplicate ${member} ${JSON.stringify(value)}`];
    seen.add(value);
    return [];
  });
}

function resourceWarnings({ container, path }: ContainerAtPath): readonly string[] {
  const resources = container.resources ?? {};
  return ['memory', 'ephemeral-storage'].flatMap((name) =>
    (['limits', 'requests'] as const).flatMap((part) => fractionalAmountWarning(resources[part] ?? {}, name, `${path}.resources.${part}`)),
  );
}

/** Warnings of the spec of a claim or a claim template. */
export function claimWarnings(spec: Decoded<corev1.PersistentVolumeClaimSpec>, path: string): readonly string[] {
  const resources = spec.resources ?? {};
  return (['requests', 'limits'] as const).flatMap((part) =>
    fractionalAmountWarning(resources[part] ?? {}, 'storage', `${path}.resources.${part}`),
  );
}

function fractionalAmountWarnings(amounts: JsonObject, path: string): readonly string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) => fractionalAmountWarning(amounts, name, path));
}

/** Quantities of bytes must be integers. */
function fractionalAmountWarning(amounts: JsonObject, name: string, path: string): readonly string[] {
  const amount = amounts[name];
  if (typeof amount !== 'string' || quantityInteger(parseQuantity(amount), -3) % 1000n === 0n) return [];
  return [`${path}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`];
}

/** A duplicate variable is valid when the second one references the first. */
function environmentWarnings({ container, path }: ContainerAtPath): readonly string[] {
  const seen = new Set<string>();
  return (container.env ?? []).flatMap((variable, index) => {
    const name = variable.name ?? '';
    const value = variable.value ?? '';
    const reference = `$(${name})`;
    const hides = variable.valueFrom !== undefined || value === reference || !value.includes(reference);
    if (seen.has(name) && hides) {
      return [`${path}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`];
    }
    seen.add(name);
    return [];
  });
}

interface PortAtPath {
  readonly path: string;
  readonly hostIP: string;
  readonly hostPort: number;
}

function portWarnings(containers: readonly ContainerAtPath[]): readonly string[] {
  const ports = containers.flatMap(({ container, path }) =>
    (container.ports ?? []).map((port, index) => ({ port, path: `${path}.ports[${index}]` })),
  );
  return [...hostPortWarnings(ports), ...portNameWarnings(ports)];
}

interface PlacedPort {
  readonly port: Decoded<corev1.ContainerPort>;
  readonly path: string;
}

function hostPortWarnings(ports: readonly PlacedPort[]): readonly string[] {
  const warnings: string[] = [];
  const byNumber = new Map<string, PortAtPath[]>();
  const pairs = new PairBudget();
  for (const { port, path } of ports) {
    const one = { path, hostIP: port.hostIP ?? '', hostPort: Number(port.hostPort ?? 0) };
    const key = `${port.containerPort}/${port.protocol ?? ''}`;
    if (one.hostIP !== '' && one.hostPort === 0) warnings.push(`${path}: hostIP set without hostPort: ${formatPort(port)}`);
    const others = byNumber.get(key) ?? [];
    for (const other of pairs.take(others)) if (warnings.length < maxPodWarnings) warnings.push(...portConflictWarnings(one, other));
    others.push(one);
    byNumber.set(key, others);
  }
  return warnings;
}

function portNameWarnings(ports: readonly PlacedPort[]): readonly string[] {
  const byName = new Map<string, string>();
  return ports.flatMap(({ port, path }) => {
    const name = port.name ?? '';
    const first = byName.get(name);
    if (name !== '' && first === undefined) byName.set(name, path);
    if (name === '' || first === undefined) return [];
    const why = `services and probes that select ports by name will use ${first}`;
    return [`${path}: duplicate port name ${JSON.stringify(name)} with ${first}, ${why}`];
  });
}

/** Formats the port as Go prints the struct. */
function formatPort(port: Decoded<corev1.ContainerPort>): string {
  const shown = [
    ['Name', port.name ?? ''],
    ['HostPort', port.hostPort ?? 0],
    ['ContainerPort', port.containerPort ?? 0],
    ['Protocol', port.protocol ?? ''],
    ['HostIP', port.hostIP ?? ''],
  ];
  return `{${shown.map(([name, value]) => `${name}:${value}`).join(' ')}}`;
}

function portConflictWarnings(one: PortAtPath, other: PortAtPath): readonly string[] {
  if (one.hostIP === other.hostIP && one.hostPort === other.hostPort) return [`${one.path}: duplicate port definition with ${other.path}`];
  if (one.hostPort === 0 || other.hostPort === 0) return [`${one.path}: overlapping port definition with ${other.path}`];
  const onlyOneHasIp = (one.hostIP === '') !== (other.hostIP === '');
  return one.hostPort === other.hostPort && onlyOneHasIp ? [`${one.path}: dangerously ambiguous port definition with ${other.path}`] : [];
}

function gracePeriodWarnings(spec: Decoded<corev1.PodSpec>, at: string): readonly string[] {
  const seconds = spec.terminationGracePeriodSeconds;
  if (typeof seconds !== 'number' || seconds >= 0) return [];
  return [`${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`];
}

function affinityTermWarnings(spec: Decoded<corev1.PodSpec>, at: string): readonly string[] {
  const affinity = spec.affinity ?? {};
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((kind) => {
    const path = `${at}.affinity.${kind}`;
    const required = 'requiredDuringSchedulingIgnoredDuringExecution';
    const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
    const terms = [
      ...(affinity[kind]?.[required] ?? []).map((term, index) => [term, `${path}.${required}[${index}]`] as const),
      ...(affinity[kind]?.[preferred] ?? []).map(
        (one, index) => [one.podAffinityTerm ?? {}, `${path}.${preferred}[${index}].podAffinityTerm`] as const,
      ),
    ];
    return terms.flatMap(([term, where]) =>
      term.labelSelector === undefined ? [`${where}.labelSelector: a null labelSelector results in matching no pod`] : [],
    );
  });
}
