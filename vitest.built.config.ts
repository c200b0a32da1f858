import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { lessons } from './build/lessons-plugin.ts';
import { inProcessFolders } from './test/in-process-folders.ts';
import sources from './vite.config.ts';

const root = import.meta.dirname;
const outDir = 'dist/built-tests';
const setup = 'test/seed';

const tests = inProcessFolders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name.replace(/\.ts$/, ''))),
);

/** Modules find files beside their source. */
const sourceUrls: Plugin = {
  name: 'tabplane-source-urls',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: { include: /\.m?[jt]s$/, exclude: /node_modules/ }, code: /import\.meta\.(url|dirname)/ },
    handler: (code, id) => ({
      code: code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
      map: null,
    }),
  },
};

/**
 * The tests that run in process, built for Node.js with the modules that they import: `vite build -c` builds them, and vitest runs them.
 * Every use of an import is the call of a getter in Vitest's module runner, which takes a tenth of the time of all of them.
 * Stacks have lines of the built files; a run from source (`npx vitest run FILE`) has those of the source.
 */
export default defineConfig({
  root,
  plugins: [lessons('svc'), sourceUrls],
  build: {
    ssr: true,
    outDir,
    copyPublicDir: false,
    minify: false,
    rolldownOptions: {
      checks: { ineffectiveDynamicImport: false, pluginTimings: false },
      input: Object.fromEntries([setup, ...tests].map((name) => [name, join(root, `${name}.ts`)])),
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
  test: {
    ...sources.test,
    include: [`${outDir}/**/*.test.js`],
    setupFiles: [`${outDir}/${setup}.js`],
    server: { deps: { external: [/\/dist\/built-tests\/chunks\//] } },
  },
});
