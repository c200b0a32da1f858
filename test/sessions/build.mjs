// Builds the console's shell for Node: node test/sessions/build.mjs → dist/sessions/shell.js
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';

await build({
  entryPoints: ['test/sessions/shell.ts'],
  outdir: 'dist/sessions',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'error',
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  plugins: [
    {
      name: 'raw',
      setup(on) {
        on.onResolve({ filter: /\?raw$/ }, async ({ path, resolveDir, kind }) => {
          const found = await on.resolve(path.replace(/\?raw$/, ''), { resolveDir, kind });
          return { path: found.path, namespace: 'raw' };
        });
        on.onLoad({ filter: /.*/, namespace: 'raw' }, async ({ path }) => ({ contents: await readFile(path, 'utf8'), loader: 'text' }));
      },
    },
  ],
});
