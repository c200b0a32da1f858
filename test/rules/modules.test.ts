import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { bannedGlobals, modules, packages, platformModules } from './modules.ts';

const src = new URL('../../src/', import.meta.url).pathname;
const importPattern = /(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;

interface SourceFile {
  readonly path: string;
  readonly module: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const files: readonly SourceFile[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && path.includes(sep))
  .map((path) => {
    const text = readFileSync(join(src, path), 'utf8');
    const code = text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '$1');
    const imports = [...code.matchAll(importPattern)].map((m) => m[1] ?? m[2] ?? '');
    return { path, module: path.split(sep)[0] ?? '', text: code, imports };
  });

/** The module and the path inside src that `file` imports; for packages, `module` is undefined. */
function target(file: SourceFile, specifier: string): { module?: string; path: string } {
  if (!specifier.startsWith('.')) return { path: specifier };
  const path = relative(src, join(src, dirname(file.path), specifier));
  return { module: path.split(sep)[0] ?? '', path };
}

/** `module/index.ts`, or `module/part/index.ts` for a part that is imported separately. */
const isEntryPoint = (path: string): boolean => /^[^/]+(\/[^/]+)?\/index\.ts$/.test(path);

test('the table contains every folder of src', () => {
  const folders = readdirSync(src, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  expect(folders.filter((name) => !(name in modules))).toEqual([]);
});

test('the table has no cycle: modules import only modules above them', () => {
  const order = Object.keys(modules);
  const downward = order.flatMap((module, at) =>
    (modules[module] ?? []).filter((other) => order.indexOf(other) >= at).map((other) => `${module} -> ${other}`),
  );
  expect(downward).toEqual([]);
});

test('a module imports only the modules in its row, through their entry points', () => {
  const wrong = files.flatMap((file) =>
    file.imports.flatMap((specifier) => {
      const { module, path } = target(file, specifier);
      if (module === undefined || module === file.module) return [];
      if (!modules[file.module]?.includes(module)) return [`${file.path} -> ${path}`];
      return isEntryPoint(path) ? [] : [`${file.path} -> ${path} (not an entry point)`];
    }),
  );
  expect(wrong).toEqual([]);
});

/** Test support must respect the module table, but may use packages of tests. */
const shipped = files.filter(({ path }) => !path.endsWith('.test-support.ts'));

function allowedPackages({ path, module }: SourceFile): readonly string[] {
  const folder = path.split(sep).slice(0, 2).join('/');
  return [...(packages[module] ?? []), ...(packages[folder] ?? [])];
}

test('a module imports only the packages in its row', () => {
  const wrong = shipped.flatMap((file) =>
    file.imports
      .filter((specifier) => !specifier.startsWith('.'))
      .map((specifier) =>
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      )
      .filter((name) => !allowedPackages(file).includes(name) && !(file.module === 'hosts' && name.startsWith('node:')))
      .map((name) => `${file.path} -> ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('clock, randomness and the platform come in through env and hosts', () => {
  const wrong = files
    .filter((file) => !platformModules.has(file.module))
    .flatMap((file) =>
      bannedGlobals
        .filter(([pattern]) => pattern.test(file.text))
        .map(([pattern, instead]) => `${file.path}: ${pattern.exec(file.text)?.[0]} -> ${instead}`),
    );
  expect(wrong).toEqual([]);
});
