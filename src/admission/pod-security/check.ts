import type { PodView } from './pod-view.ts';

/** One thing that a level forbids. */
export interface Check {
  readonly id: string;
  /** N of the release `v1.N` that first asked for it. */
  readonly since: number;
  /** The check of the level below that this one stands for. */
  readonly replaces?: string;
  readonly notOnWindowsSince?: number;
  /** `minor`: the release as of which to judge. */
  readonly run: (pod: PodView, minor: number) => { readonly reason: string; readonly detail: string } | undefined;
}
