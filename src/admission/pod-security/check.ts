import type { PodView } from './pod-view.ts';

/** One check of a level. */
export interface Check {
  readonly id: string;
  /** N of the release `v1.N` that introduced the check. */
  readonly since: number;
  /** ID of the check of the lower level that this one replaces. */
  readonly replaces?: string;
  readonly notOnWindowsSince?: number;
  /** `minor`: the minor release of the policy version. */
  readonly run: (pod: PodView, minor: number) => { readonly reason: string; readonly detail: string } | undefined;
}
