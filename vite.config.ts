import { defineConfig } from 'vitest/config';
import { serviceWorker, treeshake } from './sw/vite-plugin.ts';

export default defineConfig({
  base: './',
  plugins: [
    serviceWorker({
      base: process.env['TABPLANE_BASE'] ?? 'cluster/',
      names: process.env['TABPLANE_NAMES'] === 'kubernetes' ? 'kubernetes' : 'svc',
    }),
  ],
  build: {
    target: 'es2023',
    outDir: 'dist/page',
    modulePreload: { polyfill: false },
    rolldownOptions: { treeshake },
  },
  // A sandboxed frame has no origin, so its own modules come to it from elsewhere: they need this header.
  preview: { cors: true },
  test: {
    include: ['src/**/*.test.ts', 'test/{rules,contracts,simulation,hostile}/**/*.test.ts'],
    pool: 'threads',
    maxWorkers: 2,
    // Properties take what a busy machine gives them.
    testTimeout: 30_000,
  },
});
