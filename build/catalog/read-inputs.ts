import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateTypes, type PackageTable, type TypeLines } from './generate-catalog.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const readPackageTable = (): PackageTable => JSON.parse(readFileSync(join(root, 'build/catalog/packages.json'), 'utf8'));

/** Creates types.json and types-aux.json from the inputs in the repository. */
export function generateFromInputs(): { readonly types: TypeLines; readonly auxiliary: TypeLines } {
  const sources = join(root, 'build/catalog/go');
  const names = readdirSync(sources)
    .filter((file) => file.endsWith('.go'))
    .map((file) => file.replace(/-(\w+)\.go$/, '/$1'));
  const resources = JSON.parse(readFileSync(join(root, 'src/schema/data/resources.json'), 'utf8'));
  return generateTypes(resources, readPackageTable(), names, (name) => readFileSync(join(sources, `${name.replace('/', '-')}.go`), 'utf8'));
}
