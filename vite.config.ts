import { defineConfig } from 'vitest/config';

export default defineConfig({
  base: './',
  test: {
    include: ['src/**/*.test.ts', 'test/{rules,contracts,simulation}/**/*.test.ts'],
    pool: 'threads',
    maxWorkers: 2,
  },
});
