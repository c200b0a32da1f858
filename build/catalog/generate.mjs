#!/usr/bin/env node
// Makes the data of the catalog: `npm run generate:catalog`. types.json and types-aux.json come from the Go types in build/catalog/go and from
// resources.json; the other files of src/schema/data are written by hand, and formatted. The TypeScript types follow from all of them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = join(root, 'src/schema/data');
const load = async (file) => (await runnerImport(join(root, 'build/catalog', file), { root, configFile: false, logLevel: 'error' })).module;
const { formatData } = await load('data-format.ts');
const { generateFromInputs } = await load('read-inputs.ts');

const { types, auxiliary } = generateFromInputs();
writeFileSync(join(folder, 'types.json'), JSON.stringify(types));
writeFileSync(join(folder, 'types-aux.json'), JSON.stringify(auxiliary));
for (const name of readdirSync(folder, { recursive: true })) {
  if (!name.endsWith('.json')) continue;
  const path = join(folder, name);
  writeFileSync(path, `${formatData(JSON.parse(readFileSync(path, 'utf8')))}\n`);
}
await import('./generate-types.mjs');
