import { check, rules } from '../../checker/violation.ts';
import type { ObservedState } from '../observed-state.ts';

/** The scheduler binds a pod once; two of them never bind one pod to different nodes. */
export function observeBindings({ state }: { readonly state: ObservedState }): void {
  state.observe(({ kind, before, after }) => {
    if (kind !== 'Pod' || !before || !after || before.metadata.uid !== after.metadata.uid) return;
    const [from, to] = [nodeOf(before), nodeOf(after)];
    check(from === '' || from === to, rules.bound, () => `${after.metadata.name} moves from ${from} to ${to}`);
  });
}

const nodeOf = (object: object): string => ('spec' in object && (object.spec as { nodeName?: string }).nodeName) || '';
