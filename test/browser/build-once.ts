import { build } from 'vite';

/** Builds the page before all browser tests, unless TABPLANE_BUILT says that it stands. */
export default async function buildOnce(): Promise<void> {
  if (process.env['TABPLANE_BUILT'] !== undefined) return;
  await build({ logLevel: 'warn' });
}
