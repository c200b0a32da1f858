import { defineConfig } from 'vitest/config';

/** Tests that start servers, built ones and etcd: recorded scenarios over http, real kubectl, the library, storage on etcd. One at a time: they share the machine. */
export default defineConfig({
  test: {
    include: ['test/{conformance,clients,etcd,servers,sessions}/**/*.test.ts'],
    exclude: ['test/conformance/browser/**'],
    pool: 'forks',
    maxWorkers: 1,
    maxConcurrency: 4,
    testTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
  },
});
