#!/usr/bin/env node
// Formats the data of the catalog, src/schema/data/*.json: `npm run format:catalog`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = join(root, 'src/schema/data');
const { formatData } = (await runnerImport(join(root, 'build/catalog/data-format.ts'), { root, configFile: false, logLevel: 'error' }))
  .module;
for (const name of readdirSync(folder)) {
  const path = join(folder, name);
  writeFileSync(path, `${formatData(JSON.parse(readFileSync(path, 'utf8')))}\n`);
}
