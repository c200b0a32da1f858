import { build } from 'vite';

/** Builds the page before all browser tests, unless TABPLANE_BUILT is set. Each test project runs this setup. */
export default async function buildOnce(): Promise<void> {
  if (process.env['TABPLANE_BUILT'] !== undefined) return;
  // Vitest sets NODE_ENV to 'test', with which libraries would include their development code.
  process.env['NODE_ENV'] = 'production';
  await build({ logLevel: 'warn', mode: 'production' });
  process.env['NODE_ENV'] = 'test';
  process.env['TABPLANE_BUILT'] = '1';
}
