import { buildPage } from './build-page.ts';

/** Builds the page before all browser tests, unless TABPLANE_BUILT is set. Each test project runs this setup. */
export default async function buildOnce(): Promise<void> {
  if (process.env['TABPLANE_BUILT'] !== undefined) return;
  await buildPage('page');
  process.env['TABPLANE_BUILT'] = '1';
}
