/** The stored progress of a lesson. */
export interface Progress {
  /** The index of the step that the cluster is in. */
  readonly step: number;
  /** Ids of completed steps. */
  readonly done: readonly string[];
  /** Number of revealed hints, by step id. */
  readonly hints: Readonly<Record<string, number>>;
  /** Ids of steps whose solution was revealed. */
  readonly shown: readonly string[];
  /** When the step began, in milliseconds since 1970. */
  readonly startedMs: number;
}

/** Key-value store of progress. Values are structured-cloneable. */
export interface ProgressStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
}

export const noProgress: Progress = { step: 0, done: [], hints: {}, shown: [], startedMs: 0 };

/** Parses stored progress; undefined when its shape is unknown. */
export function parseProgress(value: unknown): Progress | undefined {
  if (typeof value !== 'object' || value === null || !('step' in value && 'done' in value)) return undefined;
  const { step, done, hints, shown, startedMs } = { ...noProgress, ...value } as Record<keyof Progress, unknown>;
  if (typeof step !== 'number' || !Array.isArray(done) || !Array.isArray(shown)) return undefined;
  return {
    step,
    done: done.filter((one) => typeof one === 'string'),
    shown: shown.filter((one) => typeof one === 'string'),
    hints: typeof hints === 'object' && hints !== null ? (hints as Progress['hints']) : {},
    startedMs: typeof startedMs === 'number' ? startedMs : 0,
  };
}
