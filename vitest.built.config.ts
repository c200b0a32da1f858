import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { lessons } from './build/lessons-plugin.ts';
import inProcess from './vite.config.ts';
import browser from './vitest.browser.config.ts';
import server from './vitest.server.config.ts';

type TestConfig = NonNullable<ViteUserConfig['test']>;
type Project = NonNullable<TestConfig['projects']>[number];

const root = import.meta.dirname;
const outDir = 'dist/built-tests';
const setup = 'test/seed.ts';

/** The configurations of the tests by the mode of Vitest. */
const configs: Readonly<Record<string, ViteUserConfig>> = { server, browser };

const tests = ['src', 'build', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name)),
);

const withoutExtension = (file: string): string => file.replace(/\.ts$/, '');
const builtFile = (file: string): string => `${outDir}/${withoutExtension(file)}.js`;

/** The same tests, built. */
function builtTests({ include, exclude, setupFiles, projects, ...others }: TestConfig): TestConfig {
  return {
    ...others,
    ...(include ? { include: include.map(builtFile) } : {}),
    ...(exclude ? { exclude: exclude.map(builtFile) } : {}),
    ...(setupFiles ? { setupFiles: [setupFiles].flat().map(builtFile) } : {}),
    ...(projects ? { projects: projects.map((project) => builtProject(others, project)) } : {}),
    server: { deps: { external: [new RegExp(`/${outDir}/chunks/`)] } },
  };
}

/** A project with the options that it extends: Vitest would read those of this file, in its own mode. */
function builtProject(extended: TestConfig, project: Project): Project {
  if (typeof project !== 'object' || !('test' in project)) throw new Error('a project of tests has no options');
  const { extends: _, test, ...others } = project;
  return { ...others, test: builtTests({ ...extended, ...test }) };
}

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
 * All tests, built for Node.js with the modules that they import: `vite build -c` builds them, and `vitest run --config` runs them, in the
 * mode `server` or `browser` those of that configuration. Every use of an import is the call of a getter in Vitest's module runner, and every
 * run transforms the modules again, which together take a tenth of the processor time of all tests.
 * Stacks have lines of the built files; a run from source (`npx vitest run FILE`) has those of the source.
 */
export default defineConfig(({ mode }) => ({
  root,
  plugins: [lessons('svc'), sourceUrls],
  build: {
    ssr: true,
    outDir,
    copyPublicDir: false,
    minify: false,
    rolldownOptions: {
      checks: { ineffectiveDynamicImport: false, pluginTimings: false },
      input: Object.fromEntries([setup, ...tests].map((file) => [withoutExtension(file), join(root, file)])),
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
  test: builtTests((configs[mode] ?? inProcess).test ?? {}),
}));
