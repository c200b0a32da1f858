import type { corev1 } from '../../schema/api/index.ts';

/** A simulated node. */
export interface NodeConfig {
  readonly name: string;
  /** Added to those of every kubelet. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly corev1.Taint[];
  /** Replaces amounts of `defaultCapacity`. */
  readonly capacity?: Readonly<Record<string, string>>;
  /** The handlers of its container runtime that RuntimeClasses may name. Default: `runc`. */
  readonly runtimeHandlers?: readonly string[];
}

/** An unchanged containerd has one beside the default handler. */
export const runtimeHandlersOf = ({ runtimeHandlers = ['runc'] }: NodeConfig): readonly string[] => runtimeHandlers;

export const defaultCapacity: Readonly<Record<string, string>> = {
  cpu: '4',
  'ephemeral-storage': '100Gi',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  memory: '8Gi',
  pods: '110',
};

/** Nodes `node-1` to `node-COUNT`. */
export const numberedNodes = (count: number): readonly NodeConfig[] =>
  Array.from({ length: count }, (_, index) => ({ name: `node-${index + 1}` }));
