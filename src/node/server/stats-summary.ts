import { amountOf, containerStatusesOf } from '../../component-helpers/index.ts';
import { formatTime, parseTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { fractionOf } from '../hash.ts';
import type { Measurements } from '../usage/measurements.ts';
import { type ContainerUsage, logsBytes, rootfsBytes, sumUsage, type Usage } from '../usage/pod-usage.ts';
import { type CpuCounters, countCpu } from './cpu-counters.ts';

/** Cf. k8s.io/kubelet stats/v1alpha1; members that only `/stats/summary` shows are not typed. */
export interface StatsSummary {
  readonly node: NodeStats;
  readonly pods: readonly PodStats[];
}

export interface NodeStats extends Measured {
  readonly nodeName: string;
  readonly systemContainers: readonly ContainerStats[];
  readonly startTime: string;
}

export interface PodStats extends Measured {
  readonly podRef: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly startTime: string;
  readonly containers: readonly ContainerStats[];
  readonly network?: NetworkStats | undefined;
}

export interface ContainerStats extends Measured {
  readonly name: string;
  readonly startTime: string;
}

/** Undefined members: not measured yet. */
interface Measured {
  readonly cpu?: CpuStats | undefined;
  readonly memory?: MemoryStats | undefined;
  readonly swap?: SwapStats | undefined;
}

interface Timed {
  readonly time: string;
}

type Pressure = Readonly<Record<'full' | 'some', Readonly<Record<'total' | 'avg10' | 'avg60' | 'avg300', number>>>>;

interface CpuStats extends Timed {
  readonly usageNanoCores: number;
  readonly usageCoreNanoSeconds: number;
  readonly psi: Pressure;
}

interface MemoryStats extends Timed {
  /** Undefined: the memory is not limited. */
  readonly availableBytes?: number;
  readonly usageBytes: number;
  readonly workingSetBytes: number;
  readonly rssBytes: number;
  readonly pageFaults: number;
  readonly majorPageFaults: number;
  readonly psi: Pressure;
}

interface SwapStats extends Timed {
  readonly swapAvailableBytes: number;
  readonly swapUsageBytes: number;
}

interface FsStats extends Timed {
  readonly availableBytes: number;
  readonly capacityBytes: number;
  readonly usedBytes: number;
  readonly inodesFree: number;
  readonly inodes: number;
  readonly inodesUsed: number;
}

interface VolumeStats extends FsStats {
  readonly name: string;
  readonly pvcRef?: { readonly name: string; readonly namespace: string };
}

interface InterfaceStats {
  readonly name: string;
  readonly rxBytes: number;
  readonly rxErrors: number;
  readonly txBytes: number;
  readonly txErrors: number;
}

interface NetworkStats extends Timed, InterfaceStats {
  readonly interfaces: readonly InterfaceStats[];
}

/** A pod with the UID of its containers' labels: that of a static pod is not the one of its mirror pod. */
interface PodWithUid {
  readonly pod: corev1.Pod;
  readonly uid: string;
}

interface RunningPod extends PodWithUid {
  readonly usages: readonly ContainerUsage[];
}

export interface SummaryOptions {
  readonly node: corev1.Node;
  readonly pods: readonly PodWithUid[];
  readonly measurements: Measurements;
  readonly counters: CpuCounters;
  /** When the kubelet has started. */
  readonly startedMs: number;
  /** Cf. the parameter only_cpu_and_memory. */
  readonly onlyCpuAndMemory: boolean;
}

const kibi = 1024;

/** Files of the system, and of each volume. */
const systemFsBytes = 2 * kibi ** 3;
const volumeBytes = 12 * kibi;
const systemInodes = 60_000;
const imageInodes = 40_000;
const rootfsInodes = 12;
const logsInodes = 2;
const volumeInodes = 9;

/** Parts of the node's own usage. The rest is that of other processes. */
const systemParts = [
  ['kubelet', 0.5],
  ['runtime', 0.3],
] as const;

const psiData = { total: 0, avg10: 0, avg60: 0, avg300: 0 };
/** Nothing waits for resources. */
const psi: Pressure = { full: psiData, some: psiData };

/** The usage of a node and its pods at the time of its last measurement. Cf. pkg/kubelet/server/stats summaryProviderImpl. */
export function createSummary(options: SummaryOptions): StatsSummary {
  return new SummaryBuilder(options).build();
}

class SummaryBuilder {
  readonly #options: SummaryOptions;
  readonly #name: string;
  /** The pods that run. */
  readonly #pods: readonly RunningPod[];
  readonly #atMs: number;
  readonly #time: string;
  /** The counters of what still runs. */
  readonly #counters: CpuCounters = new Map();
  readonly #fsCapacity: number;
  readonly #imageBytes: number;
  readonly #containerCount: number;
  readonly #fsBytes: number;

  constructor(options: SummaryOptions) {
    const { node, pods, measurements } = options;
    this.#options = options;
    this.#name = node.metadata.name ?? '';
    this.#pods = pods.map((one) => ({ ...one, usages: measurements.usageOfPod(one.pod) })).filter(({ usages }) => usages.length > 0);
    this.#atMs = measurements.timeOf(this.#name);
    this.#time = formatTime(this.#atMs);
    this.#fsCapacity = capacityOf(node, 'ephemeral-storage');
    this.#imageBytes = (node.status.images ?? []).reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0);
    this.#containerCount = this.#pods.reduce((sum, { usages }) => sum + usages.length, 0);
    const volumeCount = this.#pods.reduce((sum, { pod }) => sum + volumesOf(pod).length, 0);
    this.#fsBytes = systemFsBytes + this.#imageBytes + this.#containerCount * (rootfsBytes + logsBytes) + volumeCount * volumeBytes;
  }

  build(): StatsSummary {
    const { counters } = this.#options;
    const summary = { node: this.#node(), pods: this.#pods.map((pod) => this.#pod(pod)) };
    counters.clear();
    for (const [key, counter] of this.#counters) counters.set(key, counter);
    return summary;
  }

  #node(): NodeStats {
    const { node, measurements, startedMs, onlyCpuAndMemory } = this.#options;
    const time = this.#time;
    const nodeMs = parseTime(node.metadata.creationTimestamp ?? time);
    const memory = capacityOf(node, 'memory');
    const system = measurements.systemUsageOf(this.#name);
    const io = onlyCpuAndMemory ? {} : { io: { time, psi } };
    const systemContainer = (name: string, startMs: number, usage: Usage, limit?: number): ContainerStats => {
      const { swap, ...cpuAndMemory } = this.#measured(`/${name}`, startMs, usage, limit);
      return { name, startTime: formatTime(startMs), ...cpuAndMemory, ...io, swap };
    };
    const systemContainers = systemParts.map(([name, part]) => {
      const usage = { cpuMilli: system.cpuMilli * part, memoryBytes: system.memoryBytes * part };
      return systemContainer(name, name === 'kubelet' ? startedMs : nodeMs, usage);
    });
    const ofPods = sumUsage(this.#pods.map(({ usages }) => sumUsage(usages)));
    const { swap, ...cpuAndMemory } = this.#measured('', nodeMs, measurements.usageOfNode(this.#name), memory);
    const imageFs = this.#fs(this.#imageBytes, imageInodes);
    const others = {
      ...io,
      network: this.#network(this.#name, nodeMs),
      fs: this.#fs(this.#fsBytes, systemInodes),
      runtime: { imageFs, containerFs: { ...imageFs, usedBytes: this.#containerCount * rootfsBytes } },
      rlimit: { time, maxpid: 32_768, curproc: 180 + this.#containerCount },
    };
    return {
      nodeName: this.#name,
      systemContainers: [...systemContainers, systemContainer('pods', nodeMs, ofPods, memory)],
      startTime: formatTime(nodeMs),
      ...cpuAndMemory,
      ...(onlyCpuAndMemory ? {} : others),
      swap,
    };
  }

  #pod({ pod, uid, usages }: RunningPod): PodStats {
    const { name = '', namespace = '' } = pod.metadata;
    const time = this.#time;
    const startTime = pod.status.startTime ?? time;
    const startMs = parseTime(startTime);
    const statuses = containerStatusesOf(pod);
    const containers = usages.flatMap((usage) => {
      const status = statuses.find((one) => one.name === usage.name);
      return status ? [this.#container(uid, status, usage)] : [];
    });
    const common = { podRef: { name, namespace, uid }, startTime, containers };
    const measured = usages.filter((usage) => containers.some((one) => one.name === usage.name && one.cpu !== undefined));
    if (measured.length === 0) return common;
    const { swap, ...cpuAndMemory } = this.#measured(uid, startMs, sumUsage(measured), undefined);
    if (this.#options.onlyCpuAndMemory) return { ...common, ...cpuAndMemory, swap };
    const volumes = volumesOf(pod);
    const directories = volumes.filter(({ emptyDir }) => emptyDir !== undefined).length;
    const others = {
      io: { time, psi },
      ...(pod.spec.hostNetwork ? {} : { network: this.#network(uid, startMs) }),
      ...(volumes.length > 0 ? { volume: volumes.map((volume) => this.#volume(volume, namespace)) } : {}),
      'ephemeral-storage': this.#fs(
        containers.length * (rootfsBytes + logsBytes) + directories * volumeBytes,
        containers.length * (rootfsInodes + logsInodes) + directories * volumeInodes,
      ),
      process_stats: { process_count: measured.length },
    };
    return { ...common, ...cpuAndMemory, ...others, swap };
  }

  #container(uid: string, { name, state, resources }: corev1.ContainerStatus, usage: Usage): ContainerStats {
    const time = this.#time;
    const startTime = state.running?.startedAt ?? time;
    const startMs = parseTime(startTime);
    if (startMs > this.#atMs) return { name, startTime };
    const limit = resources?.limits?.['memory'];
    const memoryLimit = limit === undefined ? undefined : amountOf('memory', limit);
    const { swap, ...cpuAndMemory } = this.#measured(`${uid}/${name}`, startMs, usage, memoryLimit);
    if (this.#options.onlyCpuAndMemory) return { name, startTime, ...cpuAndMemory, swap };
    const disks = { io: { time, psi }, rootfs: this.#fs(rootfsBytes, rootfsInodes), logs: this.#fs(logsBytes, logsInodes) };
    return { name, startTime, ...cpuAndMemory, ...disks, swap };
  }

  #volume({ name, persistentVolumeClaim: claim }: corev1.Volume, namespace: string): VolumeStats {
    const reference = claim ? { pvcRef: { name: claim.claimName, namespace } } : {};
    return { ...this.#fs(volumeBytes, volumeInodes), name, ...reference };
  }

  /** CPU, memory and swap of a cgroup; undefined `limit`: its memory is not limited. */
  #measured(key: string, startMs: number, { cpuMilli, memoryBytes }: Usage, limit: number | undefined): Required<Measured> {
    const time = this.#time;
    const atMs = this.#atMs;
    const usageNanoCores = Math.round(cpuMilli * 1e6);
    const counter = countCpu(this.#options.counters.get(key), startMs, atMs, usageNanoCores);
    this.#counters.set(key, counter);
    const workingSetBytes = Math.round(memoryBytes / kibi) * kibi;
    const memory = {
      time,
      ...(limit === undefined ? {} : { availableBytes: Math.max(0, limit - workingSetBytes) }),
      usageBytes: workingSetBytes,
      workingSetBytes,
      rssBytes: Math.floor((workingSetBytes * 0.75) / kibi) * kibi,
      pageFaults: 1000 + Math.floor(Math.max(0, atMs - startMs) / 1000),
      majorPageFaults: 0,
      psi,
    };
    const swap = { time, swapAvailableBytes: 0, swapUsageBytes: 0 };
    return { cpu: { time, usageNanoCores, usageCoreNanoSeconds: counter.coreNanoseconds, psi }, memory, swap };
  }

  /** Some hundred bytes a second. */
  #network(key: string, startMs: number): NetworkStats {
    const bytes = (direction: string): number => {
      const rate = 200 + 400 * fractionOf(`${key}/${direction}`);
      return Math.floor((rate * Math.max(0, this.#atMs - startMs)) / 1000);
    };
    const eth0 = { name: 'eth0', rxBytes: bytes('rx'), rxErrors: 0, txBytes: bytes('tx'), txErrors: 0 };
    return { time: this.#time, ...eth0, interfaces: [eth0] };
  }

  /** A part of the only file system of the node. */
  #fs(usedBytes: number, inodesUsed: number): FsStats {
    const inodes = Math.floor(this.#fsCapacity / (16 * kibi));
    return {
      time: this.#time,
      availableBytes: Math.max(0, this.#fsCapacity - this.#fsBytes),
      capacityBytes: this.#fsCapacity,
      usedBytes,
      inodesFree: Math.max(0, inodes - systemInodes),
      inodes,
      inodesUsed,
    };
  }
}

/** The capacity of a node; cpu in thousandths. */
export const capacityOf = ({ status }: corev1.Node, resource: string): number => amountOf(resource, status.capacity?.[resource] ?? '0');

/** Directories of the host are not measured. */
const volumesOf = ({ spec }: corev1.Pod): readonly corev1.Volume[] => (spec.volumes ?? []).filter(({ hostPath }) => hostPath === undefined);
