import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const tsc = join(root, 'node_modules/.bin/tsc');
const folder = mkdtempSync(join(tmpdir(), 'tabplane-package-'));
const project = join(folder, 'project');
/** An empty cache, so that an install without network has the same result on every machine. */
const offline = ['--offline', '--cache', join(folder, 'cache')];

/** A file of the package, as npm lists it. */
interface PackedFile {
  readonly path: string;
  readonly size: number;
}

let packed: readonly PackedFile[] = [];

/** A project that has installed the packed library, without optional dependencies: they need a network. */
beforeAll(async () => {
  const listed = await run(root, 'npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', folder);
  packed = JSON.parse(listed)[0].files;
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  await run(project, 'npm', 'install', ...offline, '--omit=optional', '--no-audit', '--no-fund', join(folder, tarball));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program and returns its output; fails with all output when it exits with an error. */
async function run(cwd: string, program: string, ...args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { cwd })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}

const program = `
import { ApiError, type Cluster, type corev1, corev1Pods, corev1ServiceAccounts, createCluster, hasStatus, type List } from 'tabplane';

const cluster: Cluster = await createCluster({ names: 'kubernetes' });
const client = cluster.client('admin-token');
const pods = client.resource(corev1Pods);
await client.resource(corev1ServiceAccounts).create({ metadata: { namespace: 'default', name: 'default' } });
const pod: corev1.Pod = await pods.create({
  metadata: { namespace: 'default', name: 'web', labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
});
const policy: string | undefined = pod.spec?.restartPolicy;
// @ts-expect-error a pod's name is a text
const wrong: number | undefined = pod.metadata.name;
// @ts-expect-error a container has no such field
await pods.create({ metadata: { namespace: 'default', name: 'other' }, spec: { containers: [{ images: 'nginx' }] } }).catch(() => wrong);
const response = await cluster.fetch('http://cluster.test/api/v1/pods', { headers: { authorization: 'Bearer admin-token' } });
const { items } = (await response.json()) as List<corev1.Pod>;
const missing: unknown = await pods.get({ namespace: 'default', name: 'none' }).catch((error: unknown) => error);
const status = hasStatus(missing, 404) && missing instanceof ApiError ? missing.reason : '';
const stopped = cluster.audit.onEvent(({ requestUri }: { readonly requestUri: string }) => void requestUri);
stopped();
await cluster.close();
process.stdout.write(JSON.stringify([policy, items.map(({ metadata }) => metadata.name), status]));
`;

/** Type checks a program with the strictest settings, the declarations of the library included, and compiles it to `out`. */
async function compile(source: string, options: Readonly<Record<string, unknown>>): Promise<void> {
  writeFileSync(join(project, 'program.ts'), source);
  const compilerOptions = {
    target: 'es2022',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    outDir: 'out',
    rootDir: '.',
    ...options,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  await run(project, tsc, '-p', '.');
}

const nodeTypes = { lib: ['es2022'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
const nodeModules = { module: 'nodenext', moduleResolution: 'nodenext' };
const bundlerModules = { module: 'esnext', moduleResolution: 'bundler' };

test('a typed program compiles with the types of Node alone, and runs', async () => {
  await compile(program, { ...nodeModules, ...nodeTypes });
  const output = await run(project, process.execPath, 'out/program.js');
  expect(JSON.parse(output)).toEqual(['Always', ['web'], 'NotFound']);
});

test('it also compiles for a bundler', async () => {
  await compile(program, { ...bundlerModules, ...nodeTypes });
});

test('in a page, with the types of the DOM alone, a cluster may have a database', async () => {
  const page = { ...bundlerModules, lib: ['es2022', 'dom'], types: [] };
  const source = "import { createCluster } from 'tabplane';\nawait createCluster({ database: 'mine', controllers: true });\n";
  await compile(source, { ...page, customConditions: ['browser'] });
  await expect(compile(source, page)).rejects.toThrow("'database' does not exist in type 'ClusterSettings'");
});

test('the plugins of generators and the element have types', async () => {
  const source = `import { remarkTabplane, tabplaneExamples } from 'tabplane/plugins';
import type { ExampleElement, ExampleResult } from 'tabplane/example';
const example: ExampleElement | null = document.querySelector('tabplane-example');
example?.addEventListener('result', (event) => ((event as CustomEvent<ExampleResult>).detail.exit satisfies number));
tabplaneExamples({ renderer: { rules: {} } });
// @ts-expect-error a plugin of remark returns a transformer
remarkTabplane() satisfies string;
`;
  await compile(source, { ...bundlerModules, lib: ['es2022', 'dom'], types: [] });
});

test('every type of the declarations is known: none is any', () => {
  const types = join(project, 'node_modules/tabplane/dist/types');
  const names = readdirSync(types).sort();
  expect(names).toEqual(['example.d.ts', 'node.d.ts', 'page.d.ts', 'plugins.d.ts', 'shared.d.ts']);
  for (const name of names) {
    const code = readFileSync(join(types, name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    expect(code.match(/.*\bany\b.*/g) ?? [], name).toEqual([]);
  }
});

test('the program runs with npx, and names the optional package that it needs for etcd', async () => {
  expect(await run(project, 'npx', ...offline, 'tabplane', '--help')).toContain('--etcd-servers');
  const refused = run(project, 'npx', ...offline, 'tabplane', 'serve', '--etcd-servers', 'http://127.0.0.1:1');
  await expect(refused).rejects.toThrow('--etcd-servers needs the package @grpc/grpc-js, which is not installed');
});

test('the library and the program share their code: it is in the package once', () => {
  const modules = readdirSync(join(project, 'node_modules/tabplane/dist/node'), { recursive: true, encoding: 'utf8' });
  expect(modules.filter((file) => file.endsWith('.js')).sort()).toEqual(['library.js', 'plugins.js', 'tabplane.js']);
});

test('the published files import the declared dependencies and nothing else', () => {
  const folders = ['dist/node', 'dist/node/assets'].map((name) => join(project, 'node_modules/tabplane', name));
  const files = folders.flatMap((name) =>
    readdirSync(name)
      .filter((file) => /\.c?js$/.test(file))
      .map((file) => join(name, file)),
  );
  const importPattern = /\bfrom ?["']([^"'.][^"']*)["'];|\brequire\(["'`]([^"'`.][^"'`]*)["'`]\)/g;
  const imported = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(importPattern)].map(([, a, b]) => a ?? b ?? ''));
  const packages = new Set(imported.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name)));
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(project, 'node_modules/tabplane/package.json'), 'utf8'),
  );
  expect([...packages]).toEqual(Object.keys({ ...dependencies, ...optionalDependencies }));
});

const filesOf = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(directory, file)).isFile())
    .sort();

test('the files of the page are in the package once; a command writes them all', async () => {
  await run(project, 'npx', ...offline, 'tabplane', 'page', '--output', 'site');
  const site = join(project, 'site');
  const built = join(root, 'dist/page');
  expect(filesOf(site)).toEqual(filesOf(built));
  for (const file of filesOf(built)) expect(readFileSync(join(site, file)).equals(readFileSync(join(built, file))), file).toBe(true);
  await expect(run(project, 'npx', ...offline, 'tabplane', 'page', 'site')).rejects.toThrow('Usage: tabplane page --output FOLDER');
});

/** The scripts of the library in pages and of live examples, which bundlers and hosts of packages load from it. */
const scripts = ['core.js', 'components.js', 'descriptions.js', 'scheduler-config.js', 'example.js', 'example-worker.js'];

test('the scripts of the library and of live examples are in the package with all files that they load', () => {
  const page = join(project, 'node_modules/tabplane/dist/page');
  const loaded = new Set<string>();
  const load = (file: string): void => {
    // The components of live examples load nothing on demand (sw/vite-plugin.ts).
    if (loaded.has(file) || file === 'unused.js') return;
    loaded.add(file);
    const code = file.endsWith('.js') && existsSync(join(page, file)) ? readFileSync(join(page, file), 'utf8') : '';
    const imports = [...code.matchAll(/(?:\bfrom ?|\bimport ?\(? ?|new URL\()["'`](\.\.?\/[\w./-]+)["'`]/g)];
    for (const [, name = ''] of imports) load(posix.join(posix.dirname(file), name));
    for (const [name] of code.matchAll(/\bassets\/[\w.-]+\.js\b|\bdescriptions\.json\b/g)) load(name);
  };
  for (const script of scripts) load(script);
  expect([...loaded].filter((file) => !existsSync(join(page, file)))).toEqual([]);
  // The core, the engine and views of examples, the components with their emulated containers, and the descriptions are found.
  for (const name of [
    'core-',
    'example-engine-',
    'example-kustomize-',
    'example-views-',
    'components-',
    'components/emulation-',
    'descriptions.json',
  ])
    expect([...loaded].filter((file) => file.includes(name))).toHaveLength(1);
});

test('the package is at most 10.3 MB unpacked', () => {
  const bytes = packed.reduce((sum, { size }) => sum + size, 0);
  // A package without its parts would be smaller.
  expect(bytes).toBeGreaterThan(5_000_000);
  expect(bytes).toBeLessThanOrEqual(10_300_000);
});
