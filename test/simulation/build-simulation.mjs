// Builds the simulation, since Node 20 does not run its TypeScript; with a mutant, of a source that has one small fault.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @param {{ name: string, file: string, search: string, replacement: string }} [mutant]
 * @returns {Promise<{ file: string, folder: string }>} the file to import, and the folder to remove
 */
export async function buildSimulation(mutant) {
  // Below the root, so that the packages it imports are found.
  mkdirSync(join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(root, 'dist/simulate-'));
  const planted = mutant && plant(mutant);
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: planted ? [planted.plugin] : [],
    build: {
      ssr: join(root, 'test/simulation/cli.ts'),
      outDir: folder,
      copyPublicDir: false,
      rolldownOptions: { output: { entryFileNames: 'cli.js' } },
    },
  });
  if (planted && !planted.isDone()) throw new Error(`mutant ${mutant.name}: ${mutant.file} is no part of the simulation`);
  return { file: join(folder, 'cli.js'), folder };
}

/** Replaces the text of a mutant as its file is loaded. */
function plant({ name, file, search, replacement }) {
  let done = false;
  const plugin = {
    name: 'mutant',
    enforce: 'pre',
    transform(code, id) {
      if (id !== join(root, file)) return undefined;
      const found = code.split(search).length - 1;
      if (found !== 1) throw new Error(`mutant ${name}: its text occurs ${found} times in ${file}, not once`);
      done = true;
      return { code: code.replace(search, () => replacement), map: null };
    },
  };
  return { plugin, isDone: () => done };
}
