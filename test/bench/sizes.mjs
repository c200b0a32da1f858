// What a browser loads, compressed as a server would.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pageFolder, standingPage } from './page.mjs';

export const goals = {
  'first-load JavaScript, gz bytes': { atMost: 60_000 },
  'html and css, gz bytes': { atMost: 10_000 },
  'worker with the core, gz bytes': { atMost: 200_000 },
};

const text = (file) => readFileSync(join(pageFolder, file), 'utf8');
const gzipped = (file) => gzipSync(readFileSync(join(pageFolder, file)), { level: 9 }).length;
const sum = (files) => [...files].reduce((total, file) => total + gzipped(file), 0);

/** A module and all that it imports before it runs. */
function staticImports(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name] of text(file).matchAll(/(?:^|[;}])\s*(?:import|export)(?:[^"'`()]*?from)?\s*["'`]\.\/([^"'`]+)["'`]/g)) {
    staticImports(`assets/${name}`, found);
  }
  return found;
}

/** Of the page that stands in dist/page. */
export function pageSizes() {
  const html = text('index.html');
  const scripts = new Set();
  for (const [, file] of html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)) staticImports(file, scripts);
  const styles = [...html.matchAll(/href="\.\/(assets\/[^"]+\.css)"/g)].map(([, file]) => file);
  return { scripts: sum(scripts), scriptFiles: scripts.size, htmlAndCss: sum(['index.html', ...styles]), worker: sum(['sw.js']) };
}

/** @returns {Promise<Record<string, number>>} */
export async function benchSizes() {
  await standingPage();
  const { scripts, scriptFiles, htmlAndCss, worker } = pageSizes();
  return {
    'first-load JavaScript, gz bytes': scripts,
    'first-load JavaScript, files': scriptFiles,
    'html and css, gz bytes': htmlAndCss,
    'worker with the core, gz bytes': worker,
  };
}
