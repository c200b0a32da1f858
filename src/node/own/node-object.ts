import { amountOf } from '../../component-helpers/index.ts';
import { formatTime, isNativeResource, type Product, versionInfo } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { hexDigest } from '../hash.ts';
import { binaryQuantity } from './binary-quantity.ts';
import { defaultCapacity, type NodeConfig, runtimeHandlersOf } from './node-config.ts';
import { signals } from './node-pressure.ts';

/** The release whose kubelet is simulated. */
const kubeletVersion = versionInfo().gitVersion;

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

type Choice = readonly [reason: string, message: string];

/** Reasons and messages of conditions when they are false and true. Cf. pkg/kubelet/nodestatus setters. */
const conditionTexts: readonly (readonly [type: string, isFalse: Choice, isTrue: Choice])[] = [
  [
    'MemoryPressure',
    ['KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
    ['KubeletHasInsufficientMemory', 'kubelet has insufficient memory available'],
  ],
  ['DiskPressure', ['KubeletHasNoDiskPressure', 'kubelet has no disk pressure'], ['KubeletHasDiskPressure', 'kubelet has disk pressure']],
  [
    'PIDPressure',
    ['KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
    ['KubeletHasInsufficientPID', 'kubelet has insufficient PID available'],
  ],
  ['Ready', ['KubeletNotReady', 'node is shutting down'], ['KubeletReady', 'kubelet is posting ready status']],
];

/** `present`: the types of conditions that are true. */
export function conditionsOf(present: readonly string[]): readonly Condition[] {
  return conditionTexts.map(([type, isFalse, isTrue]) => {
    const isPresent = present.includes(type);
    const [reason, message] = isPresent ? isTrue : isFalse;
    return { type, status: isPresent ? 'True' : 'False', reason, message };
  });
}

/** The labels that every kubelet adds. */
export const kubeletLabels = (name: string): Readonly<Record<string, string>> => ({
  'beta.kubernetes.io/arch': 'amd64',
  'beta.kubernetes.io/os': 'linux',
  'kubernetes.io/arch': 'amd64',
  'kubernetes.io/hostname': name,
  'kubernetes.io/os': 'linux',
});

/** The address of the node with this number, from 0. */
export const nodeAddress = (index: number): string => `172.18.${Math.floor((index + 2) / 256)}.${(index + 2) % 256}`;

/** The default range of a node's pods. */
export const podRangeOf = (index: number): string => `10.${244 + Math.floor(index / 256)}.${index % 256}.0/24`;

/** The status that a kubelet reports about its node. `before` is the stored status. */
export function nodeStatus(
  config: NodeConfig,
  { address, before, bootId, images, present, product, nowMs }: NodeFacts,
): Partial<corev1.NodeStatus> {
  const now = formatTime(nowMs);
  const capacity = { ...defaultCapacity, ...config.capacity };
  return {
    capacity,
    allocatable: { ...advertisedResources(before, product), ...capacity, ...withoutReserve(capacity) },
    conditions: conditionsOf(present).map((condition) => {
      const known = before?.conditions?.find(({ type }) => type === condition.type);
      const isSame = known?.status === condition.status;
      return { ...condition, lastHeartbeatTime: now, lastTransitionTime: isSame ? known.lastTransitionTime : now };
    }),
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: config.name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
    nodeInfo: {
      architecture: 'amd64',
      bootID: bootId ?? (before?.nodeInfo?.bootID || uuidFor(`boot of ${config.name}`)),
      containerRuntimeVersion: 'containerd://2.1.4',
      kernelVersion: '6.12.0',
      kubeProxyVersion: '',
      kubeletVersion,
      machineID: hexDigest(config.name, 32),
      operatingSystem: 'linux',
      osImage: 'Debian GNU/Linux 12 (bookworm)',
      systemUUID: uuidFor(`system of ${config.name}`),
    },
    ...(images.length > 0 ? { images } : {}),
    features: { supplementalGroupsPolicy: true },
    // The default handler has no name.
    runtimeHandlers: ['', ...runtimeHandlersOf(config)].map((name) => ({
      name,
      features: { recursiveReadOnlyMounts: true, userNamespaces: true },
    })),
  };
}

/** A UUID of version 4 that is the same for the same text. */
function uuidFor(text: string): string {
  return hexDigest(text, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

/** What pods may use of the resources that have a threshold of evictions. Cf. pkg/kubelet/cm GetNodeAllocatableReservation. */
function withoutReserve(capacity: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const limited = signals.filter(({ resource }) => capacity[resource] !== undefined);
  return Object.fromEntries(
    limited.map(({ resource, threshold }) => {
      const amount = amountOf(resource, capacity[resource] ?? '0');
      return [resource, binaryQuantity(Math.max(0, amount - threshold(amount)))];
    }),
  );
}

/** Clients advertise extended resources in the capacity; all of them are allocatable. Null removes one. Cf. pkg/kubelet/nodestatus MachineInfo. */
function advertisedResources(before: corev1.NodeStatus | undefined, product: Product): Readonly<Record<string, string>> {
  const { capacity = {}, allocatable = {} } = before ?? {};
  const names = [...Object.keys(capacity), ...Object.keys(allocatable)].filter((name) => !isNativeResource(name, product));
  return Object.fromEntries(names.map((name) => [name, capacity[name] ?? null])) as Readonly<Record<string, string>>;
}

export interface NodeFacts {
  readonly address: string;
  readonly before: corev1.NodeStatus | undefined;
  /** Undefined: it has not been booted again. */
  readonly bootId?: string | undefined;
  readonly images: readonly corev1.ContainerImage[];
  /** The types of conditions that are true. */
  readonly present: readonly string[];
  readonly product: Product;
  readonly nowMs: number;
}
