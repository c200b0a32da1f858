#!/usr/bin/env node
// npm run bench: what the README's figures come from. Medians of several runs; ratios come from one run on one machine.
//   node test/bench/run.mjs [in-process] [http] [sizes] [browser] [--json FILE]
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const benches = {
  'in-process': async () => (await import('./in-process.mjs')).benchInProcess(),
  http: async () => (await import('./over-http.mjs')).benchOverHttp(),
  sizes: async () => (await import('./sizes.mjs')).benchSizes(),
  ...(existsSync(join(here, 'browser.mjs')) ? { browser: async () => (await import('./browser.mjs')).benchBrowser() } : {}),
};
const words = process.argv.slice(2);
const json = words.includes('--json') ? words.splice(words.indexOf('--json'), 2)[1] : undefined;
const all = {};
for (const [name, bench] of Object.entries(benches)) {
  if (words.length > 0 && !words.includes(name)) continue;
  all[name] = await bench();
  console.log(`\n${name}`);
  for (const [what, value] of Object.entries(all[name])) console.log(`  ${what.padEnd(44)} ${value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2)}`);
}
if (json) writeFileSync(json, `${JSON.stringify(all, null, 2)}\n`);
