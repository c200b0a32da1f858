/** What is remembered of a lesson. */
export interface Progress {
  /** The step that the cluster is in. */
  readonly step: number;
  /** Steps that were done once, by id. */
  readonly done: readonly string[];
  /** How many hints were looked at, by step id. */
  readonly hints: Readonly<Record<string, number>>;
  /** Steps that were shown instead of done. */
  readonly shown: readonly string[];
  /** When the step began, in milliseconds since 1970. */
  readonly startedMs: number;
}

/** Where progress is kept; values are whatever structured cloning takes. */
export interface ProgressStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
}

export const noProgress: Progress = { step: 0, done: [], hints: {}, shown: [], startedMs: 0 };

/** What was kept, as far as it still has the shape. */
export function readProgress(value: unknown): Progress | undefined {
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
