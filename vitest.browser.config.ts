import { defineConfig } from 'vitest/config';

/** These measure time, kill workers during requests, or fill the browser's storage, so they run one at a time. */
const alone = ['kill-loop', 'lifetime', 'quota', 'streams', 'update'].map((name) => `test/browser/${name}.test.ts`);

/** Tests that drive Chromium against the built page: `npm run test:browser`. */
export default defineConfig({
  test: {
    globalSetup: ['test/browser/build-once.ts'],
    // Slow machines must not fail tests.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // The files of a worker share their modules and their browser.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'screens',
          include: ['test/browser/**/*.test.ts', 'test/conformance/browser/**/*.test.ts'],
          exclude: alone,
          // More than the two cores of the machine, since tests also wait. Four need a quarter more processor time, and no less of other time.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: alone, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
