import { errorMessage } from '../../env/index.ts';
/** Result codes of plugins. Cf. pkg/scheduler/framework Code; absent status: success. */
export type StatusCode = 'Error' | 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Wait' | 'Skip' | 'Pending';

/** The result of a plugin that did not simply succeed. */
export interface Status {
  readonly code: StatusCode;
  /** Shown in events and conditions. */
  readonly reasons: readonly string[];
  /** The plugin that returned the status; set by the framework. */
  readonly plugin?: string;
  readonly error?: unknown;
}

/** The pod does not fit now; preemption may help. */
export const unschedulable = (...reasons: readonly string[]): Status => ({ code: 'Unschedulable', reasons });

/** The pod does not fit, and preemption does not help. */
export const unresolvable = (...reasons: readonly string[]): Status => ({ code: 'UnschedulableAndUnresolvable', reasons });

export const errorStatus = (error: unknown): Status => ({
  code: 'Error',
  reasons: [errorMessage(error)],
  error,
});

/** The plugin has nothing to do for the pod: its later extension points are not called. */
export const skip: Status = { code: 'Skip', reasons: [] };

/** Whether a status refuses the pod, rather than reporting a failure. Cf. Status.IsRejected. */
export function isRejected({ code }: Status): boolean {
  return code === 'Unschedulable' || code === 'UnschedulableAndUnresolvable' || code === 'Pending';
}

export const withPlugin = (status: Status, plugin: string): Status => ({ ...status, plugin: status.plugin ?? plugin });

export const messageOf = ({ reasons }: Status): string => reasons.join(', ');
