import { defineConfig } from 'vitest/config';

/** Tests that drive Chromium against the built page: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts', 'test/conformance/browser/**/*.test.ts'],
    globalSetup: ['test/browser/build-once.ts'],
    // One browser at a time: the machine's two cores are what is measured.
    fileParallelism: false,
    // What is slow is no failure: only what never comes is.
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
