// What a browser loads, compressed as a server would.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const page = join(dirname(fileURLToPath(import.meta.url)), '../../dist/page');
const gz = (file) => gzipSync(readFileSync(file), { level: 9 }).length / 1024;

/** Kilobytes of gzip: the worker with the core, and the scripts that the page loads before the prompt answers. */
export function benchSizes() {
  if (!existsSync(page)) throw new Error('build the page first: npm run build:page');
  const html = readFileSync(join(page, 'index.html'), 'utf8');
  const first = new Set([...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map((match) => match[1]));
  // What the first scripts import statically comes with them.
  for (const file of first) {
    const text = readFileSync(join(page, file), 'utf8');
    for (const [, other] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) first.add(join(dirname(file), other));
  }
  const scripts = [...first].reduce((sum, file) => sum + gz(join(page, file)), 0);
  const styles = readdirSync(join(page, 'assets')).filter((name) => name.endsWith('.css')).reduce((sum, name) => sum + gz(join(page, 'assets', name)), 0);
  return { 'worker with the core, kB gz': gz(join(page, 'sw.js')), 'first scripts of the page, kB gz': scripts, 'page and styles, kB gz': gz(join(page, 'index.html')) + styles };
}
