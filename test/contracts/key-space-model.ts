import fc from 'fast-check';
import type { Change, Entry, KeySpace, RangeQuery, RangeResult } from '../../src/storage/index.ts';
import { assertEqual, assertTrue, getRejection, type TestEngine } from './contract.ts';
import { recordWatch, type WatchRecorder } from './watch-recorder.ts';

const keys = ['/a/1', '/a/2', '/a/20', '/a', '/b/1', '/b/\uffff', '__proto__'];
const prefixes = ['', '/', '/a', '/a/', '/a/2', '/b/', '/c'];

const key = fc.constantFrom(...keys);
const prefix = fc.constantFrom(...prefixes);
/** A past revision as a fraction of the newest one; outside of 0 to 1 it is compacted or in the future. */
const past = fc.double({ min: -0.1, max: 1.1, noNaN: true });

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('put' as const), key, value: fc.string({ maxLength: 4 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wrong' as const), key, offset: fc.constantFrom(-1, 1) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('burst' as const), keys: fc.uniqueArray(key, { minLength: 2 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('get' as const), key, past }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('range' as const), prefix, past, limit: fc.nat(8), from: fc.option(key, { nil: undefined }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('watch' as const), prefix, past }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('compact' as const), past }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A naive key space: stores every change and computes every result from the first one. */
class Model {
  readonly changes: Change[] = [];
  readonly requests: string[] = [];
  compacted = 1;

  get revision(): number {
    return this.changes.length + 1;
  }

  at(revision: number): Map<string, Entry> {
    const state = new Map<string, Entry>();
    for (const change of this.changes.slice(0, revision - 1)) {
      if (change.entry) state.set(change.key, change.entry);
      else state.delete(change.key);
    }
    return state;
  }

  put(key: string, value: string | undefined): Change {
    const previous = this.at(this.revision).get(key);
    const revision = this.revision + 1;
    const entry = value === undefined ? undefined : { key, value, createRevision: previous?.createRevision ?? revision, revision };
    const change = { revision, key, entry, previous };
    this.changes.push(change);
    return change;
  }

  range(query: RangeQuery & { readonly at: number }): RangeResult {
    const all = [...this.at(query.at).values()]
      .filter((entry) => entry.key.startsWith(query.prefix) && entry.key >= (query.from ?? ''))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    return { entries: all.slice(0, query.limit), revision: query.at, count: all.length };
  }

  refusal(at: number): string | undefined {
    if (at > this.revision) return 'future-revision';
    return at < this.compacted ? 'compacted' : undefined;
  }

  revisionOf(part: number): number {
    return Math.round(1 + part * (this.revision - 1));
  }
}

/** Runs the same steps on the model and on an engine. */
class ModelRun {
  readonly #engine: TestEngine;
  readonly #model = new Model();
  #space: KeySpace;
  #watches: { readonly prefix: string; readonly after: number; readonly recorder: WatchRecorder }[] = [];

  constructor(lab: TestEngine, space: KeySpace) {
    this.#engine = lab;
    this.#space = space;
  }

  async execute(next: Step): Promise<void> {
    const model = this.#model;
    if (next.do === 'put') await this.#commit(next.key, next.value);
    else if (next.do === 'delete') await this.#delete(next.key);
    else if (next.do === 'wrong') await this.#expectWrongly(next.key, next.offset);
    else if (next.do === 'burst') await this.#burst(next.keys);
    else if (next.do === 'get') await this.#get(next.key, model.revisionOf(next.past));
    else if (next.do === 'range') await this.#range({ ...rangeOf(next), at: model.revisionOf(next.past) });
    else if (next.do === 'watch') await this.#watch(next.prefix, model.revisionOf(next.past));
    else if (next.do === 'compact') await this.#compact(model.revisionOf(next.past));
    else await this.#reopen();
    assertEqual(await this.#space.revision(), model.revision, 'revision');
  }

  /** Compares the final state. */
  async finish(): Promise<void> {
    const model = this.#model;
    for (let at = model.compacted; at <= model.revision; at++) {
      assertEqual(await this.#space.range({ prefix: '', at }), model.range({ prefix: '', at }), `everything at ${at}`);
    }
    for (const change of model.changes) {
      const isRetained = change.revision > model.compacted;
      const requestId = `r${change.revision}`;
      if (isRetained && model.requests.includes(requestId)) assertEqual(await this.#space.findCommit(requestId), change, requestId);
    }
    await this.#checkWatches();
    await this.#space.close();
  }

  async #commit(key: string, value: string | undefined): Promise<void> {
    const current = this.#model.at(this.#model.revision).get(key);
    const requestId = `r${this.#model.revision + 1}`;
    const commit = await this.#space.commit({ key, expected: current?.revision ?? 'absent', value, requestId });
    assertEqual(commit, this.#model.put(key, value), 'commit');
    this.#model.requests.push(requestId);
  }

  async #delete(key: string): Promise<void> {
    if (this.#model.at(this.#model.revision).has(key)) await this.#commit(key, undefined);
    else
      assertEqual(
        (await getRejection(this.#space.commit({ key, expected: 'absent', value: undefined }))).code,
        'revision-changed',
        'delete nothing',
      );
  }

  async #expectWrongly(key: string, offset: number): Promise<void> {
    const current = this.#model.at(this.#model.revision).get(key);
    const expected = current ? current.revision + offset : 1;
    const { code, error } = await getRejection(this.#space.commit({ key, expected, value: 'wrong' }));
    assertEqual(code, 'revision-changed', 'wrong expectation');
    assertEqual(error instanceof Error && 'actual' in error ? error.actual : undefined, current, 'actual');
  }

  async #burst(burst: readonly string[]): Promise<void> {
    const state = this.#model.at(this.#model.revision);
    const commits = await Promise.all(
      burst.map((key) => this.#space.commit({ key, expected: state.get(key)?.revision ?? 'absent', value: `burst ${key}` })),
    );
    // The engine may commit them in any order.
    for (const commit of commits.sort((a, b) => a.revision - b.revision))
      assertEqual(commit, this.#model.put(commit.key, commit.entry?.value), 'burst');
  }

  async #get(key: string, at: number): Promise<void> {
    const refusal = this.#model.refusal(at);
    if (refusal) assertEqual((await getRejection(this.#space.get(key, at))).code, refusal, `get at ${at}`);
    else assertEqual(await this.#space.get(key, at), this.#model.at(at).get(key), `get at ${at}`);
  }

  async #range(query: RangeQuery & { readonly at: number }): Promise<void> {
    const refusal = this.#model.refusal(query.at);
    if (refusal) assertEqual((await getRejection(this.#space.range(query))).code, refusal, 'range');
    else assertEqual(await this.#space.range(query), this.#model.range(query), 'range');
  }

  async #watch(prefix: string, after: number): Promise<void> {
    const isLost = after < this.#model.compacted && this.#model.compacted > 1;
    if (isLost) assertEqual((await getRejection(recordWatch(this.#space, prefix, after))).code, 'compacted', `watch after ${after}`);
    else this.#watches.push({ prefix, after, recorder: await recordWatch(this.#space, prefix, after) });
  }

  async #compact(revision: number): Promise<void> {
    if (revision > this.#model.revision)
      return assertEqual((await getRejection(this.#space.compact(revision))).code, 'future-revision', 'compact');
    await this.#space.compact(revision);
    this.#model.compacted = Math.max(this.#model.compacted, revision);
    assertEqual(await this.#space.compactedRevision(), this.#model.compacted, 'compacted revision');
  }

  async #reopen(): Promise<void> {
    if (!this.#engine.reopen) return;
    await this.#checkWatches();
    this.#space = await this.#engine.reopen(this.#space);
    for (const { recorder } of this.#watches) assertTrue(recorder.failures.length === 1, 'a watch fails once when its space is closed');
    this.#watches = [];
  }

  async #checkWatches(): Promise<void> {
    for (const { prefix, after, recorder } of this.#watches) {
      const expected = this.#model.changes.filter((change) => change.revision > after && change.key.startsWith(prefix));
      const last = expected.at(-1);
      if (last) await recorder.until(last.revision);
      assertEqual(recorder.changes, expected, `watch of ${JSON.stringify(prefix)} after ${after}`);
    }
  }
}

function rangeOf(next: { readonly prefix: string; readonly limit: number; readonly from: string | undefined }): RangeQuery {
  return { prefix: next.prefix, limit: next.limit, ...(next.from === undefined ? {} : { from: next.from }) };
}

/** Runs random histories; a failure reports the seed and the shortest failing history. */
export async function checkAgainstModel(createEngine: () => TestEngine, runs: number, seed?: number): Promise<void> {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
    const engine = createEngine();
    try {
      const run = new ModelRun(engine, await engine.open());
      for (const next of steps) await run.execute(next);
      await run.finish();
    } finally {
      await engine.close?.();
    }
  });
  await fc.assert(property, { numRuns: runs, ...(seed === undefined ? {} : { seed }) });
}
