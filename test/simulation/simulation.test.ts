import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { rules, Violation } from './checker/violation.ts';
import { Coverage } from './environment.ts';
import { mutants } from './mutants/index.ts';
import { defaultOperations, run } from './simulate.ts';
import { FileStore } from './stores/file-store.ts';

const operations = defaultOperations;
const path = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));

/** Minimum counts over 180 seeds; a run below one of them no longer covers that case sufficiently. */
const minimum: Readonly<Record<string, number>> = {
  requests: 20_000,
  'server starts': 400,
  'create 201': 600,
  'create 409': 400,
  'create 422': 40,
  'update 200': 250,
  'update 409': 100,
  'merge-patch 200': 250,
  'json-patch 200': 80,
  'strategic-patch 200': 60,
  'apply 200': 200,
  'apply conflicts': 100,
  'update-status 200': 15,
  'patch-status 200': 80,
  'delete 200': 200,
  'delete 409': 40,
  'deletecollection 200': 100,
  'dry run create 201': 60,
  'dry run apply 200': 10,
  'outcomes learned by reading': 30,
  'writes retried': 400,
  '5xx during a fault': 30,
  '504 repeated write overwritten': 2,
  '504 too large resource version': 3,
  'get at 0 200': 80,
  'get not older than 200': 80,
  'list at 0 200': 100,
  'list exact 200': 80,
  'list exact 410': 100,
  'list not older than 200': 100,
  'list page later 200': 150,
  'list page later 410': 20,
  'lists continued inconsistently': 15,
  'watch ADDED': 1000,
  'watch MODIFIED': 1000,
  'watch DELETED': 400,
  'watches from a past version': 200,
  'watches expired': 200,
  'relists after 410': 100,
  'informers expired': 10,
  bookmarks: 60,
  'bookmarks after initial events': 200,
  'power cuts': 20,
  'disk kill-amid': 5,
  'indexeddb: QuotaExceededError': 3,
  'indexeddb: transactions aborted at their end': 5,
  'indexeddb: transactions cut by a kill': 5,
  'indexeddb: workers killed after a transaction': 3,
  'indexeddb: workers taken over': 10,
  'etcd late commits': 10,
  'etcd: a request is lost': 30,
  'etcd: a response is lost': 30,
  'etcd: compactions': 100,
  'etcd: leader losses': 5,
  'etcd: leases expired': 50,
  'etcd: watch cuts': 20,
  'etcd: watch stalls': 10,
};

test('180 seeds break no rule and reach every coverage minimum', async () => {
  const coverage = new Coverage();
  for (let seed = 0; seed < 180; seed++) {
    const result = await run({ seed, operations });
    if (result.failure) throw new Error(`npm run simulate -- --seed ${seed}`, { cause: result.failure });
    coverage.add(result.coverage);
  }
  const tooFew = Object.entries(minimum).filter(([counter, times]) => (coverage.counts.get(counter) ?? 0) < times);
  expect(tooFew.map(([counter, times]) => `${counter}: ${coverage.counts.get(counter)} instead of ${times}`)).toEqual([]);
}, 600_000);

test.each([0, 5, 9])(
  'seed %i gives the same transcript again, independent of earlier runs',
  async (seed) => {
    const first = await run({ seed, operations });
    await run({ seed: seed + 1, operations });
    expect((await run({ seed, operations })).transcript).toEqual(first.transcript);
  },
  60_000,
);

test('a store that acknowledges writes before they are synced to disk breaks a rule', async () => {
  const broken = new Set<string>();
  for (let seed = 0; seed < 40 && broken.size === 0; seed++) {
    const { failure } = await run({
      seed,
      operations,
      createStore: (environment, history) => new FileStore(environment, history, 'never'),
    });
    if (failure) broken.add(failure instanceof Violation ? failure.rule : failure.message);
  }
  expect([...broken].filter((rule) => !Object.values<string>(rules).includes(rule))).toEqual([]);
  expect(broken.size).toBe(1);
}, 120_000);

test('each mutant has a unique name and replaces a text that occurs once in its file', () => {
  const wrong = mutants.filter(({ file, search }) => readFileSync(path(file), 'utf8').split(search).length !== 2);
  expect(wrong.map(({ name }) => name)).toEqual([]);
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});

test('mutants that drop events, return wrong codes or ignore a compaction are found', async () => {
  const names = [
    'storage: drops an event from batches of three',
    'server: answers 500 after a commit',
    'server: answers every merge patch 409',
    'server: a compacted watch continues instead of 410',
  ];
  const args = [path('test/simulation/run.mjs'), '--mutants', '--only', names.join(), '--seeds', '60'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const lines = stdout.trim().split('\n');
  expect(lines.filter((line) => line.startsWith('found')).map((line) => names.find((name) => line.includes(name)))).toEqual(names);
}, 600_000);
