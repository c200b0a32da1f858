import { defineConfig } from 'vitest/config';
import { buildCommit } from './build/build-commit.ts';
import { compactData } from './build/compact-data.ts';
import { compactTemplates } from './build/compact-templates.ts';
import { contentSecurityPolicy, frameAncestorsPolicy } from './build/content-policy.ts';
import { lessons } from './build/lessons-plugin.ts';
import { withoutPreloading } from './build/without-preloading.ts';
import { serviceWorker, treeshake } from './sw/vite-plugin.ts';

const base = process.env['TABPLANE_BASE'] ?? 'cluster/';
/** The API server of the page; empty: the page has a cluster of its own. */
const server = process.env['TABPLANE_SERVER'] ?? '';
const names = process.env['TABPLANE_NAMES'] === 'kubernetes' ? 'kubernetes' : 'svc';
const framePolicy = frameAncestorsPolicy(process.env['TABPLANE_FRAME_ANCESTORS'] ?? "'self'");

// Modules of the first load that lazily loaded parts import too. In chunks of their own, each adds some hundred bytes.
const sharedModules =
  /src\/(env\/error-message|meta\/(product|json\/(json|go-values|sorted-copy)|errors\/status|values\/trim-end|names\/path-segment|collections\/(steps|sort-in-steps))|client\/transport\/read-body|kubectl\/(api\/(client|discovery)|program\/errors|yaml\/read-yaml))\.ts$|\/@lit\/localize\/(internal\/(str-tag|default-msg)|init\/install)\.js$|vite\/preload-helper/;

// What every visit loads next, in a file for the home and one for the frame: requests one after another delay the start page on a slow
// network.
const homeModules =
  /\/src\/(console\/(model\/(virtual-home|new-kubeconfig|namespace-names)\.ts|sample\/shop\.yaml\?raw)|client\/cache\/list-and-watch\.ts)$/;
const frameModules =
  /\/(lit(-html)?\/(directive(-helpers)?|directives\/keyed)\.js|src\/(client\/clusters|console\/(explore\/(api|resource-types|editor\/schema-source)|languages\/choose-language|requests\/(copies|request-source|requests-screen)|share\/names-texts|views\/(row-height|tab-list)))\.ts)$/;

// What several screens import: in chunks of their own, each adds some hundred bytes.
const screenModules =
  /\/src\/console\/(explore\/(dialog-styles|or-text|editor\/nearest|object\/panel-styles)|learn\/(imported-lesson|lesson-workspace|pack-text)|model\/download-file|share\/(named-clusters|url-frame)|views\/(diff-view|fuzzy|prompt-dialog))\.ts$/;

// Builds do not load the test runner.
const sequence = process.env['VITEST'] === undefined ? {} : { sequencer: (await import('./test/long-files-first.ts')).LongFilesFirst };

export default defineConfig({
  base: './',
  define: buildCommit,
  plugins: [
    compactData(),
    compactTemplates(),
    lessons(names),
    withoutPreloading(),
    contentSecurityPolicy({ base, server, framePolicy }),
    serviceWorker({ base, server, names, framePolicy }),
  ],
  build: {
    target: 'es2023',
    outDir: 'dist/page',
    modulePreload: {
      polyfill: false,
      // The page preloads only its first imports. A preload list of all lazily loaded modules would add 2 kB to the
      // first load, and the worker has cached the files by then.
      resolveDependencies: (_, dependencies, { hostType }) => (hostType === 'html' ? dependencies : []),
    },
    rolldownOptions: {
      treeshake,
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', test: sharedModules, includeDependenciesRecursively: false },
            { name: 'home', test: homeModules, includeDependenciesRecursively: false },
            { name: 'frame', test: frameModules, includeDependenciesRecursively: false },
            { name: 'screens', test: screenModules, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  // Listed here, since the development server would otherwise discover them after the first load and reload the page.
  optimizeDeps: {
    include: [
      '@lit/localize',
      '@noble/hashes/sha2.js',
      'idb',
      'jose',
      'jose/base64url',
      'jose/jws/compact/sign',
      'jose/jws/compact/verify',
      'lit',
      'workbox-window',
    ],
  },
  // A sandboxed frame has an opaque origin, so its own modules are cross-origin requests and need this header.
  preview: { cors: true },
  test: {
    include: ['{src,build}/**/*.test.ts', 'test/{rules,contracts,simulation,hostile,tutorials,workloads}/**/*.test.ts'],
    setupFiles: ['test/seed.ts'],
    pool: 'threads',
    maxWorkers: 2,
    sequence,
    // Property tests, and tests of whole clusters, may take long on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    experimental: { fsModuleCache: true, fsModuleCachePath: 'dist/test-modules' },
  },
});
