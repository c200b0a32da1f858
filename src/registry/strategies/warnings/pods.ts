import {
  type ApiObject,
  isDns1123Label,
  type JsonObject,
  objectsAt,
  type Product,
  parseQuantity,
  quantityInteger,
  recordAt,
  textAt,
} from '../../../meta/index.ts';
import { addressWarnings } from './addresses.ts';
import { annotationWarnings, profileWarnings } from './annotations.ts';
import { type DeprecatedLabels, deprecatedLabels, termLabelWarnings } from './node-labels.ts';
import { maxPodWarnings, PairBudget } from './pair-budget.ts';
import { overlappingPaths } from './volumes.ts';

/** Warnings of valid but inadvisable pod specs. Cf. upstream pkg/api/pod/warnings.go. */
export function podWarnings(pod: JsonObject, product: Product, path = ''): readonly string[] {
  const spec = recordAt(pod, 'spec');
  const at = path === '' ? 'spec' : `${path}.spec`;
  const deprecated = deprecatedLabels(product);
  return [
    ...nodeLabelWarnings(spec, at, deprecated),
    ...spreadConstraintWarnings(spec, at, deprecated),
    ...annotationWarnings(pod, path, product),
    ...volumeWarnings(spec, at),
    ...overlappingPaths(spec),
    ...duplicateWarnings(spec, 'hostAliases', 'ip', at),
    ...duplicateWarnings(spec, 'imagePullSecrets', 'name', at),
    ...objectsAt(spec, 'imagePullSecrets').flatMap((one, index) =>
      textAt(one, 'name') === '' ? [`${at}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
    ...fractionalAmountWarnings(recordAt(spec, 'overhead'), `${at}.overhead`),
    ...profileWarnings(pod, path, product),
    ...containersWithPaths(spec, at).flatMap((placed) => [...resourceWarnings(placed), ...environmentWarnings(placed)]),
    ...portWarnings(containersWithPaths(spec, at)),
    ...gracePeriodWarnings(spec, at),
    ...affinityTermWarnings(spec, at),
    ...hostAddressWarnings(spec, at),
  ];
}

/** Warnings of addresses in the pod's DNS and hosts configuration. */
function hostAddressWarnings(spec: JsonObject, at: string): readonly string[] {
  const servers = recordAt(spec, 'dnsConfig')['nameservers'];
  return [
    ...(Array.isArray(servers) ? servers : []).flatMap((server, index) =>
      addressWarnings(`${at}.dnsConfig.nameservers[${index}]`, String(server)),
    ),
    ...objectsAt(spec, 'hostAliases').flatMap((alias, index) => addressWarnings(`${at}.hostAliases[${index}].ip`, textAt(alias, 'ip'))),
  ];
}

/** Warnings of the addresses in a pod's status. */
export function podStatusWarnings(pod: JsonObject): readonly string[] {
  const status = recordAt(pod, 'status');
  return ['podIPs', 'hostIPs'].flatMap((list) =>
    objectsAt(status, list).flatMap((one, index) => addressWarnings(`status.${list}[${index}].ip`, textAt(one, 'ip'))),
  );
}

/** Warning of a name that is no DNS label, for kinds whose pods derive names from it. */
export function podNameWarnings(object: ApiObject, where: string): readonly string[] {
  const wrong = isDns1123Label(object.metadata.name ?? '');
  if (wrong.length === 0) return [];
  return [
    `metadata.name: this is used in ${where}, which can result in surprising behavior; a DNS label is recommended: [${wrong.join(' ')}]`,
  ];
}

interface ContainerAtPath {
  readonly container: JsonObject;
  readonly path: string;
}

function containersWithPaths(spec: JsonObject, at: string): readonly ContainerAtPath[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    objectsAt(spec, list).map((container, index) => ({ container, path: `${at}.${list}[${index}]` })),
  );
}

function nodeLabelWarnings(spec: JsonObject, at: string, deprecated: DeprecatedLabels): readonly string[] {
  const selected = Object.keys(recordAt(spec, 'nodeSelector')).flatMap((key) => {
    const text = deprecated.get(key);
    return text === undefined ? [] : [`${at}.nodeSelector[${key}]: ${text}`];
  });
  const affinity = recordAt(recordAt(spec, 'affinity'), 'nodeAffinity');
  const path = `${at}.affinity.nodeAffinity`;
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  return [
    ...selected,
    ...objectsAt(recordAt(affinity, required), 'nodeSelectorTerms').flatMap((term, index) =>
      termLabelWarnings(term, `${path}.${required}.nodeSelectorTerms[${index}]`, deprecated),
    ),
    ...objectsAt(affinity, preferred).flatMap((one, index) =>
      termLabelWarnings(recordAt(one, 'preference'), `${path}.${preferred}[${index}].preference`, deprecated),
    ),
  ];
}

function spreadConstraintWarnings(spec: JsonObject, at: string, deprecated: DeprecatedLabels): readonly string[] {
  return objectsAt(spec, 'topologySpreadConstraints').flatMap((one, index) => {
    const path = `${at}.topologySpreadConstraints[${index}]`;
    const key = textAt(one, 'topologyKey');
    const text = deprecated.get(key);
    return [
      ...(text === undefined ? [] : [`${path}.topologyKey: ${key} is ${text}`]),
      ...(one['labelSelector'] === undefined ? [`${path}.labelSelector: a null labelSelector results in matching no pod`] : []),
    ];
  });
}

/** Warning texts by deprecated volume source. */
export const deprecatedVolumes: readonly (readonly [source: string, text: string])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

function volumeWarnings(spec: JsonObject, at: string): readonly string[] {
  return objectsAt(spec, 'volumes').flatMap((volume, index) => {
    const path = `${at}.volumes[${index}]`;
    const template = recordAt(recordAt(volume, 'ephemeral'), 'volumeClaimTemplate');
    return [
      ...deprecatedVolumes
        .filter(([source]) => volume[source] !== undefined)
        .map(([source, text]) => `${path}.${source === 'storageos' ? 'storageOS' : source}: ${text}`),
      ...claimWarnings(recordAt(template, 'spec'), `${path}.ephemeral.volumeClaimTemplate.spec`),
    ];
  });
}

function duplicateWarnings(spec: JsonObject, list: string, member: string, at: string): readonly string[] {
  const seen = new Set<string>();
  return objectsAt(spec, list).flatMap((one, index) => {
    const value = textAt(one, member);
    if (seen.has(value)) return [`${at}.${list}[${index}].${member}: duplicate ${member} ${JSON.stringify(value)}`];
    seen.add(value);
    return [];
  });
}

function resourceWarnings({ container, path }: ContainerAtPath): readonly string[] {
  const resources = recordAt(container, 'resources');
  return ['memory', 'ephemeral-storage'].flatMap((name) =>
    ['limits', 'requests'].flatMap((part) => fractionalAmountWarning(recordAt(resources, part), name, `${path}.resources.${part}`)),
  );
}

/** Warnings of the spec of a claim or a claim template. */
export function claimWarnings(spec: JsonObject, path: string): readonly string[] {
  const resources = recordAt(spec, 'resources');
  return ['requests', 'limits'].flatMap((part) =>
    fractionalAmountWarning(recordAt(resources, part), 'storage', `${path}.resources.${part}`),
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
  return objectsAt(container, 'env').flatMap((variable, index) => {
    const name = textAt(variable, 'name');
    const value = textAt(variable, 'value');
    const reference = `$(${name})`;
    const hides = variable['valueFrom'] !== undefined || value === reference || !value.includes(reference);
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
  const warnings: string[] = [];
  const byNumber = new Map<string, PortAtPath[]>();
  const byName = new Map<string, string>();
  const names: string[] = [];
  const pairs = new PairBudget();
  for (const { container, path } of containers) {
    for (const [index, port] of objectsAt(container, 'ports').entries()) {
      const one = { path: `${path}.ports[${index}]`, hostIP: textAt(port, 'hostIP'), hostPort: Number(port['hostPort'] ?? 0) };
      const key = `${port['containerPort']}/${textAt(port, 'protocol')}`;
      if (one.hostIP !== '' && one.hostPort === 0) warnings.push(`${one.path}: hostIP set without hostPort: ${formatPort(port)}`);
      const others = byNumber.get(key) ?? [];
      for (const other of pairs.take(others)) if (warnings.length < maxPodWarnings) warnings.push(...portConflictWarnings(one, other));
      others.push(one);
      byNumber.set(key, others);
      const name = textAt(port, 'name');
      if (name === '') continue;
      const first = byName.get(name);
      if (first === undefined) byName.set(name, one.path);
      else
        names.push(
          `${one.path}: duplicate port name ${JSON.stringify(name)} with ${first}, services and probes that select ports by name will use ${first}`,
        );
    }
  }
  return [...warnings, ...names];
}

/** Formats the port as Go prints the struct. */
function formatPort(port: JsonObject): string {
  const shown = [
    ['Name', textAt(port, 'name')],
    ['HostPort', port['hostPort'] ?? 0],
    ['ContainerPort', port['containerPort'] ?? 0],
    ['Protocol', textAt(port, 'protocol')],
    ['HostIP', textAt(port, 'hostIP')],
  ];
  return `{${shown.map(([name, value]) => `${name}:${value}`).join(' ')}}`;
}

function portConflictWarnings(one: PortAtPath, other: PortAtPath): readonly string[] {
  if (one.hostIP === other.hostIP && one.hostPort === other.hostPort) return [`${one.path}: duplicate port definition with ${other.path}`];
  if (one.hostPort === 0 || other.hostPort === 0) return [`${one.path}: overlapping port definition with ${other.path}`];
  const onlyOneHasIp = (one.hostIP === '') !== (other.hostIP === '');
  return one.hostPort === other.hostPort && onlyOneHasIp ? [`${one.path}: dangerously ambiguous port definition with ${other.path}`] : [];
}

function gracePeriodWarnings(spec: JsonObject, at: string): readonly string[] {
  const seconds = spec['terminationGracePeriodSeconds'];
  if (typeof seconds !== 'number' || seconds >= 0) return [];
  return [`${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`];
}

function affinityTermWarnings(spec: JsonObject, at: string): readonly string[] {
  const affinity = recordAt(spec, 'affinity');
  return ['podAffinity', 'podAntiAffinity'].flatMap((kind) => {
    const path = `${at}.affinity.${kind}`;
    const required = 'requiredDuringSchedulingIgnoredDuringExecution';
    const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
    const terms = [
      ...objectsAt(recordAt(affinity, kind), required).map((term, index) => [term, `${path}.${required}[${index}]`] as const),
      ...objectsAt(recordAt(affinity, kind), preferred).map(
        (one, index) => [recordAt(one, 'podAffinityTerm'), `${path}.${preferred}[${index}].podAffinityTerm`] as const,
      ),
    ];
    return terms.flatMap(([term, where]) =>
      term['labelSelector'] === undefined ? [`${where}.labelSelector: a null labelSelector results in matching no pod`] : [],
    );
  });
}
