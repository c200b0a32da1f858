import type { Mutant } from './mutant.ts';

export const clientMutants: readonly Mutant[] = [
  {
    name: 'client: resumes one event too late',
    file: 'src/client/cache/list-and-watch.ts',
    search: `        if (error.version !== version) delayMs = firstDelayMs;
        version = error.version;`,
    replacement: `        if (error.version !== version) delayMs = firstDelayMs;
        version = error.version === undefined ? undefined : String(Number(error.version) + 1);`,
    why: 'a client that resumes a broken watch loses no event',
  },
];
