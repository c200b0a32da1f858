// The built page that the size and browser figures measure.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const pageFolder = join(root, 'dist/page');

/** Builds the page unless it exists; an existing one is used unchanged. */
export async function ensurePageIsBuilt() {
  if (existsSync(join(pageFolder, 'sw.js'))) return;
  const { build } = await import('vite');
  await build({ root, logLevel: 'warn' });
}
