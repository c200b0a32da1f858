import type { corev1 } from '../../schema/api/index.ts';
import type { ProbeOutcome } from '../runtime/container-runtime.ts';

export type ProbeKind = 'startup' | 'readiness' | 'liveness';

/** The worker of one probe of a running container. Cf. pkg/kubelet/prober worker. */
export interface ProbeState {
  readonly kind: ProbeKind;
  readonly probe: corev1.Probe;
  /** The result that counts; undefined: no result yet. */
  result: boolean | undefined;
  /** Equal outcomes one after the other. */
  streak: { isSuccess: boolean; count: number };
  /** The attempt in progress has no outcome yet. */
  isPending?: boolean;
  /** The outcome of the last attempt, which does not count yet. */
  outcome?: ProbeOutcome | undefined;
  /** The next attempt; infinite: the result cannot change any more. */
  nextMs: number;
}

/** The probes of a container that starts, or that has run before a restart of its node. */
export function createProbes(container: corev1.Container, startedMs: number, isReady = false, isStarted = false): readonly ProbeState[] {
  const { startupProbe, readinessProbe, livenessProbe } = container;
  const states: ProbeState[] = [];
  const add = (kind: ProbeKind, probe: corev1.Probe | undefined, result: boolean | undefined): void => {
    if (!probe) return;
    const nextMs = startedMs + (probe.initialDelaySeconds ?? 0) * 1000;
    states.push({ kind, probe, result, streak: { isSuccess: true, count: 0 }, nextMs });
  };
  add('startup', startupProbe, isStarted ? true : undefined);
  add('readiness', readinessProbe, isReady ? true : undefined);
  add('liveness', livenessProbe, undefined);
  return states;
}
