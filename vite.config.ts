import { defineConfig } from 'vitest/config';
import { buildCommit } from './build/build-commit.ts';
import { compactTemplates } from './build/compact-templates.ts';
import { contentSecurityPolicy, frameAncestorsPolicy } from './build/content-policy.ts';
import { lessons } from './build/lessons-plugin.ts';
import { serviceWorker, treeshake } from './sw/vite-plugin.ts';

const base = process.env['TABPLANE_BASE'] ?? 'cluster/';
const names = process.env['TABPLANE_NAMES'] === 'kubernetes' ? 'kubernetes' : 'svc';
const framePolicy = frameAncestorsPolicy(process.env['TABPLANE_FRAME_ANCESTORS'] ?? "'self'");

export default defineConfig({
  base: './',
  define: buildCommit,
  plugins: [compactTemplates(), lessons(names), contentSecurityPolicy(base, framePolicy), serviceWorker({ base, names, framePolicy })],
  build: {
    target: 'es2023',
    outDir: 'dist/page',
    modulePreload: {
      polyfill: false,
      // The page names what it needs at once. What else a later part imports that part says itself: to know all of it
      // beforehand would be 2 kB of the first load, and the worker has the files by then.
      resolveDependencies: (_, dependencies, { hostType }) => (hostType === 'html' ? dependencies : []),
    },
    rolldownOptions: { treeshake },
  },
  // Known from the start, or the development server would find them after the page was there, and reload it.
  optimizeDeps: {
    include: [
      '@lit/localize',
      '@noble/hashes/sha2.js',
      '@peculiar/x509',
      'reflect-metadata',
      'idb',
      'jose',
      'jose/base64url',
      'jose/jws/compact/sign',
      'jose/jws/compact/verify',
      'lit',
      'workbox-window',
    ],
  },
  // A sandboxed frame has no origin, so its own modules come to it from elsewhere: they need this header.
  preview: { cors: true },
  test: {
    include: ['{src,build}/**/*.test.ts', 'test/{rules,contracts,simulation,hostile,tutorials}/**/*.test.ts'],
    setupFiles: ['test/seed.ts'],
    pool: 'threads',
    maxWorkers: 2,
    // Properties take what a busy machine gives them.
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
