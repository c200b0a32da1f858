/** Replaces the cluster by a fake with many objects that change continuously, so that a test measures the page alone. */
import type { ApiResponse } from '../../src/meta/index.ts';

const path = '/api/v1/namespaces/default/configmaps';
const firstRevision = 1_000_000;
/** 500 changes per second. */
const batch = { everyMs: 20, changes: 10 };

export interface ManyRows {
  /** The last value sent for each changed row. */
  readonly last: Map<string, number>;
  /** When the first page of the list was returned. */
  listedAtMs: number;
  stop(): void;
}

function row(at: number, value: number): object {
  const metadata = {
    name: `map-${String(at).padStart(5, '0')}`,
    namespace: 'default',
    uid: `u${at}`,
    resourceVersion: String(firstRevision + value),
  };
  return { cells: [metadata.name, value, '1d'], object: { metadata } };
}

function table(rows: readonly object[], revision: number, next?: string): object {
  const columnDefinitions = ['Name', 'Data', 'Age'].map((name) => ({ name, type: 'string', priority: 0, description: '' }));
  return { kind: 'Table', metadata: { resourceVersion: String(revision), continue: next }, columnDefinitions, rows };
}

function start(rows: number): void {
  const stopping = new AbortController();
  const many: ManyRows = { last: new Map(), listedAtMs: 0, stop: () => stopping.abort() };
  const { api } = globalThis.tabplane;
  async function* changes(signal: AbortSignal): AsyncGenerator<string> {
    for (let value = 1; !signal.aborted; ) {
      await new Promise((resolve) => setTimeout(resolve, batch.everyMs));
      if (stopping.signal.aborted) continue;
      const lines = Array.from({ length: batch.changes }, () => {
        const at = (value * 37) % rows;
        many.last.set(`map-${String(at).padStart(5, '0')}`, value);
        const revision = firstRevision + value;
        return `${JSON.stringify({ type: 'MODIFIED', object: table([row(at, value++)], revision) })}\n`;
      });
      yield lines.join('');
    }
  }
  const list = Array.from({ length: rows }, (_, at) => row(at, 0));
  /** A page of the list as the server sends it; the continue token is the index of its first row. */
  const pageOf = (target: string): string => {
    const query = new URL(target, location.href).searchParams;
    const from = Number(query.get('continue') ?? 0);
    const to = from + Number(query.get('limit') ?? rows);
    return JSON.stringify(table(list.slice(from, to), firstRevision, to < rows ? String(to) : undefined));
  };
  const fakeApi: typeof api = async (request): Promise<ApiResponse> => {
    if (!request.target.startsWith(path)) return api(request);
    if (request.target.includes('watch=')) return { status: 200, headers: [], body: changes(request.signal) as never };
    const body = pageOf(request.target);
    many.listedAtMs ||= performance.now();
    return { status: 200, headers: [], body };
  };
  Object.defineProperty(globalThis.tabplane, 'api', { value: fakeApi });
  Object.assign(globalThis, { manyRows: many });
}

Object.assign(globalThis, { startManyRows: start });
