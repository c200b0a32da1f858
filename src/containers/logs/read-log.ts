import type { ContainerLog, LogEntry } from './container-log.ts';

export interface ReadLogOptions {
  readonly follow: boolean;
  readonly timestamps: boolean;
  /** Entries before this time are left out. */
  readonly sinceMs: number | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly stream: 'All' | 'Stdout' | 'Stderr';
}

/** Reads the output of a container; with `follow`, until its process has ended or the signal aborts. Cf. pkg/kubelet/kuberuntime/logs ReadLogs. */
export async function* readLog(log: ContainerLog, options: ReadLogOptions, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { stream, sinceMs, limitBytes = Number.POSITIVE_INFINITY, tailLines } = options;
  const wanted = stream === 'All' ? undefined : stream === 'Stdout' ? 'stdout' : 'stderr';
  const isWanted = (entry: LogEntry): boolean =>
    (wanted === undefined || entry.stream === wanted) && (sinceMs === undefined || entry.timeMs >= sinceMs);
  let left = limitBytes;
  let next = 0;
  if (tailLines !== undefined) {
    // The lines are counted before those of other streams and times are left out.
    next = Math.max(0, log.end - tailLines);
  }
  for (;;) {
    const part = log.from(next);
    next = part.next;
    for (const entry of part.entries.filter(isWanted)) {
      const line = options.timestamps ? withTime(entry) : entry.bytes;
      if (left <= 0) return;
      yield line.subarray(0, left);
      left -= line.length;
    }
    if (left <= 0 || !options.follow || signal.aborted) return;
    if (next < log.end) continue;
    if (log.isClosed) return;
    await nextChange(log, signal);
  }
}

function nextChange(log: ContainerLog, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      remove();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const remove = log.onChange(finish);
    signal.addEventListener('abort', finish, { once: true });
  });
}

function withTime({ timeMs, nanoseconds, bytes }: LogEntry): Uint8Array {
  const prefix = new TextEncoder().encode(`${formatNanoTime(timeMs, nanoseconds)} `);
  const line = new Uint8Array(prefix.length + bytes.length);
  line.set(prefix);
  line.set(bytes, prefix.length);
  return line;
}

/** `2026-01-01T00:00:00.000000001Z`. */
const formatNanoTime = (ms: number, nanoseconds: number): string =>
  new Date(ms).toISOString().replace('Z', `${String(nanoseconds).padStart(6, '0')}Z`);
