#!/usr/bin/env node
// npm run bench: the source of the README's figures. Medians of several runs; ratios come from one run on one machine.
//   node test/bench/run.mjs [in-process] [access] [http] [https] [durable] [soak] [workloads] [containers] [catalog] [sizes] [screens] [embed] [browser] [--json FILE]
//   node test/bench/run.mjs beside --base-url URL --token T --pids 12,34 (beside.mjs): this server and another one alternately.
// It reports and never fails, since a machine with shared cores may miss goals for other reasons.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { besideTable } from './beside.mjs';
import { table } from './table.mjs';

const benches = {
  'in-process': () => import('./in-process.mjs').then(({ benchInProcess, goals }) => ({ bench: benchInProcess, goals })),
  access: () => import('./access.mjs').then(({ benchAccess, goals }) => ({ bench: benchAccess, goals })),
  http: () => import('./over-http.mjs').then(({ benchOverHttp, goals }) => ({ bench: benchOverHttp, goals })),
  soak: () => import('./soak.mjs').then(({ benchSoak, goals }) => ({ bench: benchSoak, goals })),
  workloads: () => import('./workloads.mjs').then(({ benchWorkloads, goals }) => ({ bench: benchWorkloads, goals })),
  containers: () => import('./containers.mjs').then(({ benchContainers, goals }) => ({ bench: benchContainers, goals })),
  catalog: () => import('./catalog.mjs').then(({ benchCatalog, goals }) => ({ bench: benchCatalog, goals })),
  https: () => import('./over-https.mjs').then(({ benchOverHttps, goals }) => ({ bench: benchOverHttps, goals })),
  durable: () => import('./over-https.mjs').then(({ benchDurable, durableGoals }) => ({ bench: benchDurable, goals: durableGoals })),
  sizes: () => import('./sizes.mjs').then(({ benchSizes, goals }) => ({ bench: benchSizes, goals })),
  screens: () => import('./screens.mjs').then(({ benchScreens, goals }) => ({ bench: benchScreens, goals })),
  embed: () => import('./embed.mjs').then(({ benchEmbed, goals }) => ({ bench: benchEmbed, goals })),
  browser: () => import('./browser.mjs').then(({ benchBrowser, goals }) => ({ bench: benchBrowser, goals })),
};
const text = { type: 'string' };
const { values: flags, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { json: text, 'base-url': text, token: text, pids: text },
});
if (words.includes('beside')) console.log(await besideTable(flags));
else await printFigures();

async function printFigures() {
  const all = {};
  for (const [name, load] of Object.entries(benches)) {
    if (words.length > 0 && !words.includes(name)) continue;
    try {
      const { bench, goals } = await load();
      all[name] = await bench();
      console.log(`\n${name}\n${table(all[name], goals)}`);
    } catch (error) {
      console.log(`\n${name}\n  no figures: ${error instanceof Error ? error.stack : error}`);
    }
  }
  if (flags.json) writeFileSync(flags.json, `${JSON.stringify(all, null, 2)}\n`);
}
