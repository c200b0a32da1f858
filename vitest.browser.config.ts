import { defineConfig } from 'vitest/config';

/** Tests that drive Chromium against the built page: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts', 'test/conformance/browser/**/*.test.ts'],
    globalSetup: ['test/browser/build-once.ts'],
    // A browser waits as long as it works: two of them share two cores well.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
