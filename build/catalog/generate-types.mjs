#!/usr/bin/env node
// Writes the TypeScript types of the built-in kinds to src/schema/api: `npm run generate:types`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const output = join(root, 'src/schema/api');
const load = async (path) => (await runnerImport(join(root, path), { root, configFile: false, logLevel: 'error' })).module;

const { createAllServedCatalog, generateApiTypes } = await load('build/catalog/api-types.ts');
const { readPackageTable } = await load('build/catalog/read-inputs.ts');
rmSync(output, { recursive: true, force: true });
for (const [path, text] of generateApiTypes(createAllServedCatalog(), readPackageTable())) {
  mkdirSync(dirname(join(output, path)), { recursive: true });
  writeFileSync(join(output, path), text);
}
const { status } = spawnSync(join(root, 'node_modules/.bin/biome'), ['format', '--write', output], { stdio: 'inherit' });
process.exit(status ?? 1);
