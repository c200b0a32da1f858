import { defineConfig } from 'vitest/config';
import { LongFilesFirst } from './test/long-files-first.ts';

/** Tests that start servers, built ones and etcd: recorded scenarios over http, real kubectl, the library, storage on etcd. */
export default defineConfig({
  test: {
    include: ['test/{conformance,clients,etcd,servers,sessions}/**/*.test.ts'],
    exclude: ['test/conformance/browser/**'],
    pool: 'forks',
    // More than the two cores of the machine: other files run while some wait for the start of servers or for time to pass.
    maxWorkers: 4,
    maxConcurrency: 12,
    sequence: { sequencer: LongFilesFirst },
    testTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
    experimental: { fsModuleCache: true, fsModuleCachePath: 'dist/test-modules' },
    execArgv: ['--max-semi-space-size=64'],
  },
});
