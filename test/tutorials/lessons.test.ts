import { expect, test } from 'vitest';
import { createMemoryLog } from '../../src/env/index.ts';
import { createNodeEnv } from '../../src/hosts/node/node-env.ts';
import { testFolder } from '../../src/hosts/node/tutorial.ts';

const folder = new URL('../../src/tutorials/lessons/control-plane', import.meta.url).pathname;

test.each(['svc', 'kubernetes'] as const)(
  'every lesson is solvable, and not solved before, with the names of %s',
  { timeout: 60_000 },
  async (names) => {
    const reports = await testFolder(folder, names, createNodeEnv(createMemoryLog()));
    expect(reports.flatMap(({ file, failures }) => failures.map((failure) => `${file}: ${failure}`))).toEqual([]);
    expect(reports).toHaveLength(11);
  },
);
