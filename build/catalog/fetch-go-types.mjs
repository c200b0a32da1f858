#!/usr/bin/env node
// Writes the Go types of a Kubernetes release to build/catalog/go: `npm run fetch:go-types -- --release 0.35.0`, or only one package of it
// with `--only scheduling/v1alpha1`. It needs `go`, which downloads the modules. Default: the release of packages.json.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const tableFile = join(root, 'build/catalog/packages.json');
const output = join(root, 'build/catalog/go');
const load = async (file) => (await runnerImport(join(root, file), { root, configFile: false, logLevel: 'error' })).module;
const { condenseGo } = await load('build/catalog/go-source.ts');
const { importPathOf, packagesOf } = await load('build/catalog/generate-catalog.ts');

const { values } = parseArgs({ options: { release: { type: 'string' }, only: { type: 'string' } } });
const table = JSON.parse(readFileSync(tableFile, 'utf8'));
const release = values.release ?? table.release;
const resources = JSON.parse(readFileSync(join(root, 'src/schema/data/resources.json'), 'utf8'));
const folders = new Map();

/** The folder of a Go module in the module cache. */
function folderOf(module) {
  const known = folders.get(module);
  if (known) return known;
  const cwd = mkdtempSync(join(tmpdir(), 'go-types-'));
  const json = execFileSync('go', ['mod', 'download', '-json', `${module}@v${release}`], { cwd, encoding: 'utf8' });
  rmSync(cwd, { recursive: true });
  folders.set(module, JSON.parse(json).Dir);
  return JSON.parse(json).Dir;
}

if (!values.only) for (const file of readdirSync(output)) if (file.endsWith('.go')) rmSync(join(output, file));
for (const name of values.only ? [values.only] : packagesOf(resources, table)) {
  const path = importPathOf(name, table).split('/');
  const folder = join(folderOf(path.slice(0, 2).join('/')), ...path.slice(2));
  if (!existsSync(folder)) throw new Error(`${name} is no package of ${release}: remove its resources from resources.json`);
  const files = readdirSync(folder).filter((file) => file.endsWith('.go') && !/_test\.go$|generated|zz_|_proto\.go$/.test(file));
  const source = files.map((file) => condenseGo(readFileSync(join(folder, file), 'utf8'))).join('');
  writeFileSync(join(output, `${name.replace('/', '-')}.go`), source);
}
if (!values.only)
  writeFileSync(
    tableFile,
    readFileSync(tableFile, 'utf8').replace(/"release": "[^"]*"/, () => `"release": "${release}"`),
  );
