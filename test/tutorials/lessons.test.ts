import { expect, test } from 'vitest';
import { createMemoryLog } from '../../src/env/index.ts';
import { createNodeEnv } from '../../src/hosts/node/node-env.ts';
import { testFolder } from '../../src/hosts/node/tutorial.ts';

const tracks = [
  { track: 'control-plane', names: 'svc', lessons: 11 },
  { track: 'control-plane', names: 'kubernetes', lessons: 11 },
  { track: 'workloads', names: 'svc', lessons: 8 },
  { track: 'workloads', names: 'kubernetes', lessons: 8 },
] as const;

test.each(tracks)(
  'every lesson of $track is solvable, and not solved before, with the names of $names',
  { timeout: 120_000 },
  async ({ track, names, lessons }) => {
    const folder = new URL(`../../src/tutorials/lessons/${track}`, import.meta.url).pathname;
    const reports = await testFolder(folder, names, createNodeEnv(createMemoryLog()));
    expect(reports.flatMap(({ file, failures }) => failures.map((failure) => `${file}: ${failure}`))).toEqual([]);
    expect(reports).toHaveLength(lessons);
  },
);
