import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMemoryLog } from '../../src/env/index.ts';
import { createNodeEnv } from '../../src/hosts/node/node-env.ts';
import { testFolder } from '../../src/hosts/node/tutorial/tutorial.ts';
import { productNames } from '../../src/meta/index.ts';

const folder = new URL('../../src/tutorials/lessons/', import.meta.url).pathname;

/** The number of lessons by track, exams included. */
const tracks = { 'first-steps': 4, 'control-plane': 10, workloads: 8, access: 4, extending: 4, operations: 4 };

test('every track is tested', () => {
  expect(Object.keys(tracks).sort()).toEqual(readdirSync(folder).sort());
});

test.each(Object.entries(tracks).flatMap(([track, lessons]) => productNames.map((names) => ({ track, lessons, names }))))(
  'every lesson of $track is solvable, and not solved before, with the names of $names',
  { timeout: 240_000 },
  async ({ track, lessons, names }) => {
    const reports = await testFolder(folder + track, names, createNodeEnv(createMemoryLog()));
    expect(reports.flatMap(({ file, failures }) => failures.map((failure) => `${file}: ${failure}`))).toEqual([]);
    expect(reports).toHaveLength(lessons);
  },
);
