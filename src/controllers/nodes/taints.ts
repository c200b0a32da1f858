import type { ResourceClient } from '../../client/index.ts';
import type { Clock } from '../../env/index.ts';
import { formatTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';

/** A taint by its key and effect. */
export type TaintId = Pick<corev1.Taint, 'key' | 'effect'>;

export interface TaintChange {
  readonly add: readonly TaintId[];
  readonly remove: readonly TaintId[];
}

export function hasTaint({ spec }: Pick<corev1.Node, 'spec'>, taint: TaintId): boolean {
  return (spec.taints ?? []).some((one) => isSameTaint(one, taint));
}

/** The part of a change that the node does not have yet; undefined when it has all of it. */
export function taintChange(node: Pick<corev1.Node, 'spec'>, { add, remove }: TaintChange): TaintChange | undefined {
  const left = { add: add.filter((taint) => !hasTaint(node, taint)), remove: remove.filter((taint) => hasTaint(node, taint)) };
  return left.add.length + left.remove.length === 0 ? undefined : left;
}

/** Changes the taints of nodes. Cf. pkg/controller/util/node SwapNodeControllerTaint. */
export class TaintWriter {
  readonly #nodes: ResourceClient<corev1.Node>;
  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor(nodes: ResourceClient<corev1.Node>, clock: Pick<Clock, 'nowMs'>) {
    this.#nodes = nodes;
    this.#clock = clock;
  }

  /** @throws ApiError */
  async change(node: corev1.Node, change: TaintChange): Promise<void> {
    const { name = '' } = node.metadata;
    const write = async (current: corev1.Node): Promise<void> => {
      const left = taintChange(current, change);
      if (!left) return;
      const { resourceVersion } = current.metadata;
      await this.#nodes.patch({ name }, 'merge', { metadata: { resourceVersion }, spec: { taints: this.#changed(current, left) } });
    };
    await ignoreNotFound(retryOnConflict(node, write, () => this.#nodes.get({ name })));
  }

  #changed({ spec }: corev1.Node, { add, remove }: TaintChange): readonly corev1.Taint[] | null {
    const timeAdded = formatTime(this.#clock.nowMs());
    const retained = (spec.taints ?? []).filter((taint) => !remove.some((one) => isSameTaint(one, taint)));
    const taints = [...retained, ...add.map(({ key, effect }) => ({ key, effect, timeAdded }))];
    return taints.length === 0 ? null : taints;
  }
}

function isSameTaint(a: TaintId, b: TaintId): boolean {
  return a.key === b.key && a.effect === b.effect;
}
