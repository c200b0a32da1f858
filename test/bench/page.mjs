// The built page, which the sizes and the figures of the browser are those of.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const pageFolder = join(root, 'dist/page');

/** Builds the page where none stands; one that stands is taken as it is. */
export async function standingPage() {
  if (existsSync(join(pageFolder, 'sw.js'))) return;
  const { build } = await import('vite');
  await build({ root, logLevel: 'warn' });
}
