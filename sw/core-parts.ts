import { relative } from 'node:path';

/**
 * Modules of the core that are scripts of their own, by their names. Few requests need them, so the Service Worker runs a part when one of
 * its exports is first accessed, and starts faster without them. All other threads load the parts with the core.
 */
export const partSources: Readonly<Record<string, string>> = {
  cel: 'src/cel/index.ts',
  openapi: 'src/server/openapi/index.ts',
  x509: 'src/x509/index.ts',
};

/** Global variable of the built core. */
export const coreGlobal = 'tabplaneCore';
/** Global variable with the exports of each part by its name. The core accesses them there. */
const partsGlobal = 'tabplaneParts';
/** The export of the core with what its parts import from it: exports by module. */
const sharedExport = 'shared';

/** A built part. */
export interface Part {
  readonly name: string;
  readonly fileName: string;
  readonly exports: readonly string[];
}

/** Names by module. */
export type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** What built modules import from others, which are in the folder `root`. */
export function importsOf(codes: readonly string[], root: string): Imports {
  const imports = new Map<string, Set<string>>();
  if (codes.some((code) => /^import (?!\{)/m.test(code))) throw new Error('a part of the core imports something other than names');
  for (const [, list = '', file = ''] of codes.flatMap((code) => [...code.matchAll(/^import \{ (.+) \} from "(.+)";$/gm)])) {
    const module = relative(root, file);
    if (Object.values(partSources).includes(module)) throw new Error(`a part of the core imports another one, ${module}`);
    const names = imports.get(module) ?? new Set();
    for (const name of list.split(', ')) names.add(name.split(' as ')[0] ?? name);
    imports.set(module, names);
  }
  return imports;
}

/** Source for the entry file in `folder`: exports what parts of its script import. */
export function exportShared(imports: Imports, folder = 'sw'): string {
  const root = folder.replaceAll(/[^/]+/g, '..');
  const modules = [...imports].map(([module, names], index) => ({
    module,
    names: [...names].sort(),
    local: (name: string) => `${name}$${index}`,
  }));
  const lines = modules.map(
    ({ module, names, local }) =>
      `import { ${names.map((name) => `${name} as ${local(name)}`).join(', ')} } from ${JSON.stringify(`${root}/${module}`)};`,
  );
  const members = modules.map(
    ({ module, names, local }) => `${JSON.stringify(module)}: { ${names.map((name) => `${name}: ${local(name)}`).join(', ')} }`,
  );
  return `${lines.join('\n')}\nexport const ${sharedExport} = { ${members.join(', ')} };\n`;
}

/** In a part of a script, whose exports are in the global variable `script`: where its imports of a module are. */
export const sharedGlobal = (module: string, script: string = coreGlobal): string => `${script}.${sharedExport}[${JSON.stringify(module)}]`;
/** In the core: where the exports of a part are. */
export const partGlobal = (name: string): string => `${partsGlobal}.${name}`;

/** The head of the core. It accesses no exports of parts while it is loaded: they are defined after it. */
export const coreBanner: string = `globalThis.${partsGlobal} = { ${Object.keys(partSources)
  .map((name) => `${name}: {}`)
  .join(', ')} };`;

/** The foot of a part, whose exports are in the global variable `built`. */
export const partFooter = (name: string, built: string): string =>
  `Object.defineProperties(${partGlobal(name)}, Object.getOwnPropertyDescriptors(${built}));`;

/**
 * The head of the Service Worker. A worker can import a script later if it imported it while it was installed: the browser stores the script
 * with the worker.
 */
export function workerBanner(core: string, parts: readonly Part[]): string {
  const accessors = parts.map(({ name, fileName, exports }) => [name, fileName, exports]);
  const files = parts.map(({ fileName }) => fileName);
  return `importScripts(${JSON.stringify(core)});
for (const [part, file, names] of ${JSON.stringify(accessors)}) {
  const exports = ${partsGlobal}[part];
  for (const name of names) {
    Object.defineProperty(exports, name, { configurable: true, get: () => (importScripts(file), exports[name]) });
  }
}
addEventListener('install', (event) => event.waitUntil((async () => importScripts(...${JSON.stringify(files)}))()));`;
}

/** The core as a module, for pages without a Service Worker and, with the exports of the file `resources`, for users of the library. */
export function coreModule(exports: readonly string[], core: string, parts: readonly Part[], resources: string): string {
  const imports = [core, ...parts.map(({ fileName }) => fileName)].map((file) => `import './${file}';\n`);
  const own = exports.filter((name) => name !== sharedExport).join(', ');
  return `${imports.join('')}export * from './${resources}';\nexport const { ${own} } = globalThis.${coreGlobal};\n`;
}
