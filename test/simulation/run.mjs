#!/usr/bin/env node
// npm run simulate: builds the simulation, since Node 20 does not run its TypeScript, and runs it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Below the root, so that the packages it imports are found.
mkdirSync(join(root, 'dist'), { recursive: true });
const folder = mkdtempSync(join(root, 'dist/simulate-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: {
    ssr: join(root, 'test/simulation/cli.ts'),
    outDir: folder,
    copyPublicDir: false,
    rolldownOptions: { output: { entryFileNames: 'cli.js' } },
  },
});
const { simulate } = await import(pathToFileURL(join(folder, 'cli.js')).href);
process.exit(await simulate(process.argv.slice(2), { print: (line) => console.log(line), nowMs: () => performance.now() }));
