import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin, type ResolvedConfig, type Rolldown } from 'vite';
import { compactData } from '../build/compact-data.ts';
import { compactTemplates } from '../build/compact-templates.ts';
import { withoutPreloading } from '../build/without-preloading.ts';
import type { ArchiveIndex, ShellFiles } from '../src/hosts/service-worker/index.ts';
import { descriptionData } from '../src/schema/description-data.ts';
import {
  coreBanner,
  coreGlobal,
  coreModule,
  exportShared,
  type Imports,
  importsOf,
  type Part,
  partFooter,
  partGlobal,
  partSources,
  sharedGlobal,
  workerBanner,
} from './core-parts.ts';

export interface ServiceWorkerBuild {
  /** Base URL of the cluster: relative to the page's folder, or absolute. */
  readonly base: string;
  /** URL of a remote API server that the page uses instead of a cluster of its own; empty: none. */
  readonly server: string;
  /** The product names of the cluster's API. */
  readonly names: 'svc' | 'kubernetes';
  /** frame-ancestors policy of the page when the worker serves it. */
  readonly framePolicy: string;
}

interface BuildConstants extends ServiceWorkerBuild {
  readonly release: string;
  readonly workerFile: string;
  readonly workerType: 'classic' | 'module';
  readonly coreFile: string;
  readonly componentsFile: string;
  readonly coreScripts: readonly string[];
  readonly componentsScript: string;
  readonly engineScript: string;
  readonly kustomizeScript: string;
  readonly exampleViewScript: string;
  readonly exampleWorkerFile: string;
  readonly descriptionsFile: string;
  readonly shell: ShellFiles;
}

/**
 * Modules of this project and of the localization library have no side effects on import, so unused exports can be removed. Entry files
 * and styles are the exceptions.
 */
export const treeshake = {
  // No getter of this project has side effects.
  propertyReadSideEffects: false as const,
  moduleSideEffects: (id: string): boolean =>
    !/\/src\/|\/@lit\/localize\//.test(id) ||
    /\/hosts\/(page\/main|(?:fetch|port)-frame\/(?:fetch|port)-frame|embed\/example|embed\/example-worker)\.ts$|\.css$/.test(id),
};

const virtualId = 'virtual:tabplane-build';
const workerFile = 'sw.js';
const workerSource = 'sw/sw.ts';
const coreFile = 'core.js';
const coreSource = 'sw/core.ts';
/** Constants of the built-in resources, for users of the library. */
const resourcesFile = 'api-resources.js';
const resourcesSource = 'src/schema/api/index.ts';
const componentsFile = 'components.js';
const componentsSource = 'sw/components.ts';
/** The runtime of containers, which the components load on demand. */
const emulationSource = 'src/hosts/emulation.ts';
/** The kubelets of nodes, which the components load on demand. */
const kubeletSource = 'src/node/runtime/node-kubelet.ts';
/** Allocates devices in the scheduler, which loads it on demand. */
const allocatorSource = 'src/scheduler/devices/allocator.ts';
/** Reconciles autoscalers; loaded on demand by their controller. */
const autoscalerSource = 'src/controllers/horizontal-pod-autoscaler/reconciliation.ts';
/** Reads the configuration of the scheduler, which the components load on demand for users of the library. */
const schedulerConfigSource = 'src/hosts/library/scheduler-config.ts';
const schedulerConfigFile = 'scheduler-config.js';
/** Global variable of the built components. */
const componentsGlobal = 'tabplaneComponents';
/** The modules of the components file that the library imports. */
const libraryComponents = 'src/hosts/library/whole-cluster.ts';
const descriptionsFile = 'descriptions.json';
const descriptionsModule = 'descriptions.js';
/** The module of the core that imports the descriptions. */
const descriptionsSource = 'src/schema/description-data.ts';
/** The scripts of sandboxed frames. */
const frames: Readonly<Record<string, string>> = {
  'fetch-frame.js': 'src/hosts/fetch-frame/fetch-frame.ts',
  'port-frame.js': 'src/hosts/port-frame/port-frame.ts',
};
/**
 * Modules of the core of which the engine has its own: only modules that it loads on demand import them, and Rolldown omits such imports of
 * external modules, but not their names.
 */
const decoderSources = ['src/schema/normalize/decode-typed.ts', 'src/schema/normalize/decode-error.ts'];
/** The modules of the core that scripts and modules beside it import. */
const coreImports = [
  ...['src/schema/catalog.ts', ...decoderSources],
  ...['src/patch/json-patch.ts', 'src/patch/patch-error.ts'],
  ...['src/codec/yaml.ts', 'src/regexp/pattern.ts', 'src/regexp/parse.ts'],
];
const engineSource = 'src/hosts/embed/engine.ts';
const engineGlobal = 'tabplaneEngine';
/** The part of kubectl that the engine loads on demand. */
const kustomizeSource = 'src/kubectl/kustomize/index.ts';
const kustomizeGlobal = 'tabplaneKustomize';
/** Source that live examples do without, for the size of their engine: openssl in the shell, and its name; completion for PowerShell. */
const omittedFromEngine: Readonly<Record<string, string>> = {
  "openssl: async (call) => (await import('../openssl/program.ts')).openssl(call),": '',
  ' openssl tree ': ' tree ',
  "['powershell', () => import('./powershell.txt?raw')],": '',
};
const exampleSource = 'src/hosts/embed/example.ts';
const exampleFile = 'example.js';
const exampleViewSource = 'src/hosts/embed/example-views.ts';
const exampleViewGlobal = 'tabplaneExampleViews';
const exampleWorkerFile = 'example-worker.js';
const exampleWorkerSource = 'src/hosts/embed/example-worker.ts';
const release: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
const assetsFolder = 'assets/';
/** The files that the components load on demand. A folder of their own: the npm package has them, and those of the console in the archive only. */
const componentsFolder = `${assetsFolder}components/`;
const emptyShell: ShellFiles = { version: 'dev', files: [], archive: '' };

/**
 * Builds the core as a single file (a worker can neither import() nor load scripts later), the worker that loads it, with the list of the
 * page's files to cache, and a module with the core's exports; in development serves the worker as a module. Below the cluster's base the
 * static server answers 503 and never its index page, so that a page without a worker notices that it is missing.
 */
export function serviceWorker(options: ServiceWorkerBuild): Plugin {
  let config: ResolvedConfig;
  const common = {
    ...options,
    release,
    workerFile,
    exampleWorkerFile,
    descriptionsFile,
    shell: emptyShell,
    // Not built yet.
    coreScripts: [],
    componentsScript: '',
    engineScript: '',
    kustomizeScript: '',
    exampleViewScript: '',
  };
  const facts = (): BuildConstants =>
    config.command === 'serve'
      ? { ...common, workerType: 'module', coreFile: coreSource, componentsFile: componentsSource }
      : { ...common, workerType: 'classic', coreFile, componentsFile };
  return {
    name: 'tabplane-service-worker',
    configResolved(resolved) {
      config = resolved;
    },
    ...buildModule(facts),
    async writeBundle(_options, bundle) {
      const publicFiles = config.publicDir === '' ? [] : readdirSync(config.publicDir, { recursive: true, encoding: 'utf8' });
      const componentFiles = await buildComponents(config, facts());
      const fromCore = coreImports.map((source) => join(config.root, source));
      await buildSingleFile(config, facts(), {
        source: schedulerConfigSource,
        file: schedulerConfigFile,
        isLibrary: true,
        // Users of the library have loaded the core.
        external: fromCore,
        externalGlobal: coreGlobal,
        output: { format: 'es', minify: true, comments: false },
      });
      // Live examples simulate containers only, with the default scheduler: they load nothing on demand.
      const unused = [emulationSource, kubeletSource, schedulerConfigSource].map((source) => join(config.root, source));
      const components = await buildScript(config, facts(), {
        source: componentsSource,
        name: 'components',
        global: componentsGlobal,
        external: unused,
        output: { paths: Object.fromEntries(unused.map((source) => [source, './unused.js'])) },
      });
      writeFileSync(join(config.build.outDir, descriptionsFile), JSON.stringify(descriptionData));
      writeFileSync(join(config.build.outDir, descriptionsModule), descriptionsLoader);
      const files = [...Object.keys(bundle), ...publicFiles, ...componentFiles, descriptionsFile].filter((file) => !file.endsWith('.map'));
      const shell = writeArchive(files.sort(), config.build.outDir);
      const built = { ...facts(), shell };
      const shared = await importsOfParts(config, facts());
      const parts = await buildParts(config, facts(), shared);
      const core = await buildCore(config, facts(), shared);
      await buildWorker(config, built, workerBanner(core.fileName, parts));
      await buildSingleFile(config, facts(), { source: resourcesSource, file: resourcesFile, output: { format: 'es' } });
      writeFileSync(join(config.build.outDir, coreFile), coreModule(core.exports, core.fileName, parts, resourcesFile));
      for (const [file, source] of Object.entries(frames)) await buildSingleFile(config, built, { source, file });
      const ofKustomize = await importsOfPart(config, facts(), kustomizeSource);
      const ofEngine = fromCore.filter((source) => !decoderSources.some((other) => source === join(config.root, other)));
      const engine = await buildScript(config, built, {
        source: engineSource,
        name: 'example-engine',
        global: engineGlobal,
        // The core, which is loaded before the engine, has them.
        external: ofEngine,
        appended: exportShared(importsOf([ofKustomize], config.root), 'src/hosts/embed'),
        replaced: { "import('../kustomize/index.ts')": 'globalThis.tabplaneLoadKustomize()', ...omittedFromEngine },
        output: { globals: Object.fromEntries(ofEngine.map((source) => [source, coreGlobal])) },
      });
      const kustomize = await buildScript(config, built, {
        source: kustomizeSource,
        name: 'example-kustomize',
        global: kustomizeGlobal,
        external: outsideOf(config, kustomizeSource),
        output: { globals: sharedGlobals(config, importsOf([ofKustomize], config.root), engineGlobal) },
      });
      const coreScripts = [core, ...parts].map(({ fileName }) => fileName);
      const scripts = {
        coreScripts,
        componentsScript: components.fileName,
        engineScript: engine.fileName,
        kustomizeScript: kustomize.fileName,
      };
      const views = await buildScript(
        config,
        { ...built, ...scripts },
        { source: exampleViewSource, name: 'example-views', global: exampleViewGlobal },
      );
      await buildSingleFile(config, { ...built, exampleViewScript: views.fileName }, { source: exampleSource, file: exampleFile });
      await buildSingleFile(config, { ...built, ...scripts }, { source: exampleWorkerSource, file: exampleWorkerFile });
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (request.url?.split('?')[0] !== `${server.config.base}${workerFile}`) return next();
        response.setHeader('content-type', 'text/javascript');
        response.setHeader('service-worker-allowed', '/');
        response.end(`import '/${workerSource}';`);
      });
      server.middlewares.use((request, response, next) => {
        const source = request.url?.startsWith(server.config.base) ? frames[request.url.slice(server.config.base.length)] : undefined;
        if (source === undefined) return next();
        response.setHeader('content-type', 'text/javascript');
        void server.transformRequest(`/${source}`).then((built) => response.end(built?.code), next);
      });
      server.middlewares.use((request, response, next) => {
        if (request.url !== `${server.config.base}${descriptionsFile}`) return next();
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(descriptionData));
      });
      server.middlewares.use(respondUnavailableBelow(options.base));
    },
    configurePreviewServer(server) {
      server.middlewares.use(respondUnavailableBelow(options.base));
    },
  };
}

/** The virtual module with the build constants, for page and worker. */
function buildModule(facts: () => BuildConstants): Pick<Plugin, 'resolveId' | 'load'> {
  return {
    resolveId: (id) => (id === virtualId ? `\0${virtualId}` : undefined),
    load: (id) =>
      id === `\0${virtualId}`
        ? Object.entries(facts())
            .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
            .join('\n')
        : undefined,
  };
}

type OutputChunk = Rolldown.OutputChunk;

/**
 * The core is a script, since classic workers load no modules, and assigns its exports to a global variable, since a script has no exports.
 * The hash in its name makes browsers notice a new one: they compare the worker's own file only.
 */
function buildCore(config: ResolvedConfig, facts: BuildConstants, shared: Imports): Promise<OutputChunk> {
  const components = join(config.root, libraryComponents);
  const descriptions = join(config.root, descriptionsSource);
  // No part of the core: what it imports would be initialized on demand there, which takes 2 kB.
  const loaded = [kubeletSource, allocatorSource, autoscalerSource].map((source) => join(config.root, source));
  const parts = Object.entries(partSources).map(([name, source]) => [name, join(config.root, source)] as const);
  return buildScript(config, facts, {
    source: coreSource,
    name: 'core',
    global: coreGlobal,
    // Users of the library and pages without a worker load them on demand; a Service Worker cannot import().
    external: [components, descriptions, ...loaded, ...parts.map(([, source]) => source)],
    appended: exportShared(shared),
    output: {
      banner: coreBanner,
      globals: Object.fromEntries(parts.map(([name, source]) => [source, partGlobal(name)])),
      paths: { [components]: `./${componentsFile}`, [descriptions]: `./${descriptionsModule}` },
    },
  });
}

/** Modules of the source outside of the folder of a part: the part imports them from the core. */
function outsideOf(config: ResolvedConfig, source: string): (id: string) => boolean {
  const folder = join(config.root, source, '..');
  return (id) => id.startsWith(join(config.root, 'src/')) && !id.startsWith(`${folder}/`);
}

/** What the parts import from the core. */
async function importsOfParts(config: ResolvedConfig, facts: BuildConstants): Promise<Imports> {
  const built = Object.values(partSources).map((source) => importsOfPart(config, facts, source));
  return importsOf(await Promise.all(built), config.root);
}

/** The code of a part as a module, which imports what is not in its folder. */
async function importsOfPart(config: ResolvedConfig, facts: BuildConstants, source: string): Promise<string> {
  const { code } = await buildSingleFile(config, facts, {
    source,
    file: 'unused.js',
    external: outsideOf(config, source),
    output: { format: 'es', minify: false },
    inspected: true,
  });
  return code;
}

/** Where the script with the global variable `script` has what a part of it imports, by module. */
function sharedGlobals(config: ResolvedConfig, shared: Imports, script: string): Record<string, string> {
  return Object.fromEntries([...shared.keys()].map((module) => [join(config.root, module), sharedGlobal(module, script)]));
}

async function buildParts(config: ResolvedConfig, facts: BuildConstants, shared: Imports): Promise<readonly Part[]> {
  const global = 'tabplanePart';
  const globals = sharedGlobals(config, shared, coreGlobal);
  const built = Object.entries(partSources).map(async ([name, source]) => {
    const { fileName, exports } = await buildSingleFile(config, facts, {
      source,
      file: `assets/${name}-[hash].js`,
      external: outsideOf(config, source),
      output: { name: global, globals, footer: partFooter(name, global) },
    });
    return { name, fileName, exports };
  });
  return Promise.all(built);
}

/** A classic script that assigns its exports to a global variable, for threads that cannot load modules. */
interface ScriptBuild extends Pick<SingleFileBuild, 'source' | 'external' | 'appended' | 'replaced' | 'output'> {
  readonly name: string;
  readonly global: string;
}

function buildScript(
  config: ResolvedConfig,
  facts: BuildConstants,
  { name, global, output, ...single }: ScriptBuild,
): Promise<OutputChunk> {
  return buildSingleFile(config, facts, {
    ...single,
    file: `assets/${name}-[hash].js`,
    // In a module, a variable of the script is not global.
    output: { ...output, name: global, footer: `globalThis.${global}=${global};` },
  });
}

/** The components, and what they load on demand: the runtime of containers. Returns the names of all files. */
async function buildComponents(config: ResolvedConfig, facts: BuildConstants): Promise<readonly string[]> {
  // A file of its own: what it shares with the containers would be in the entry file.
  const external = join(config.root, schedulerConfigSource);
  const built = await buildEntry(config, facts, {
    source: componentsSource,
    file: componentsFile,
    // For import() in workers: Vite's own code for it needs a document.
    isLibrary: true,
    // What the chunks share is in the entry file, which is loaded before them.
    signatures: 'allow-extension',
    external,
    output: {
      format: 'es',
      codeSplitting: true,
      chunkFileNames: `${componentsFolder}[name]-[hash].js`,
      minify: true,
      comments: false,
      paths: { [external]: `./${schedulerConfigFile}` },
    },
  });
  return built.map(({ fileName }) => fileName);
}

/** The worker is the entry point and the page's files; the core is an external module, loaded as a script. */
async function buildWorker(config: ResolvedConfig, facts: BuildConstants, banner: string): Promise<void> {
  const external = join(config.root, coreSource);
  await buildSingleFile(config, facts, {
    source: workerSource,
    file: workerFile,
    external,
    output: { globals: { [external]: coreGlobal }, banner },
  });
}

/** The descriptions as a module: a small one, so that the texts are not built twice. */
const descriptionsLoader = `const response = await fetch(new URL('./${descriptionsFile}', import.meta.url));
if (!response.ok) throw new Error('${descriptionsFile} answers ' + response.status);
export const descriptionData = await response.json();
`;

/** A separately built single file: it must not share chunks with the page, which would load them first. */
interface SingleFileBuild {
  readonly source: string;
  readonly file: string;
  readonly external?: string | string[] | ((id: string) => boolean);
  /** Of a module: the global variable with the exports of the external ones. */
  readonly externalGlobal?: string;
  /** Source that is appended to the entry file. */
  readonly appended?: string;
  /** Texts of sources with what they are replaced by. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Written to no file, and with the absolute paths of external modules. */
  readonly inspected?: true;
  readonly isLibrary?: boolean;
  /** Default: `exports-only`. */
  readonly signatures?: 'allow-extension';
  readonly output?: Rolldown.OutputOptions;
}

/**
 * Imports statically what the transport loads on demand in the page: scripts of one file contain it, and the initialization on demand would
 * only add to them.
 */
function withTransport(config: ResolvedConfig): Plugin {
  const folder = join(config.root, 'src/client/transport/');
  const dynamicImport = /await import\('(\.\/[\w-]+\.ts)'\)/g;
  return {
    name: 'tabplane-static-transport',
    enforce: 'pre',
    transform(code, id) {
      const paths = id.startsWith(folder) ? [...code.matchAll(dynamicImport)].map(([, path]) => path) : [];
      if (paths.length === 0) return undefined;
      const imports = paths.map((path, index) => `import * as loaded${index} from '${path}';\n`);
      let index = 0;
      return { code: imports.join('') + code.replace(dynamicImport, () => `loaded${index++}`), map: null };
    },
  };
}

/** A module has no globals as a script has: its imports become variables. */
function importFromGlobal(code: string, global: string): string {
  return code.replaceAll(
    /^import \{ (.+) \} from ".+";$/gm,
    (_, names: string) => `const { ${names.replaceAll(' as ', ': ')} } = globalThis.${global};`,
  );
}

async function buildSingleFile(config: ResolvedConfig, facts: BuildConstants, single: SingleFileBuild): Promise<OutputChunk> {
  const chunk = (await buildEntry(config, facts, single)).find((output) => output.isEntry);
  if (!chunk) throw new Error('the build has no entry chunk');
  return chunk;
}

async function buildEntry(config: ResolvedConfig, facts: BuildConstants, single: SingleFileBuild): Promise<readonly OutputChunk[]> {
  const {
    source,
    file,
    external,
    externalGlobal,
    appended = '',
    replaced = {},
    inspected = false,
    isLibrary = false,
    signatures = 'exports-only',
    output,
  } = single;
  const entry = join(config.root, source);
  const missing = new Set(Object.keys(replaced));
  const built = await build({
    configFile: false,
    root: config.root,
    publicDir: false,
    define: config.define ?? {},
    logLevel: 'warn',
    plugins: [
      compactData(),
      compactTemplates(),
      withoutPreloading(),
      withTransport(config),
      { name: 'tabplane-build-facts', ...buildModule(() => facts) },
      {
        name: 'tabplane-replaced-source',
        enforce: 'pre',
        transform(code) {
          const found = Object.entries(replaced).filter(([text]) => code.includes(text));
          if (found.length === 0) return undefined;
          for (const [text] of found) missing.delete(text);
          return { code: found.reduce((result, [text, other]) => result.replaceAll(text, other), code), map: null };
        },
      },
      {
        name: 'tabplane-imports-of-global',
        renderChunk: (code) => (externalGlobal === undefined ? undefined : { code: importFromGlobal(code, externalGlobal), map: null }),
      },
      {
        name: 'tabplane-appended-source',
        transform: (code, id) => (id === entry ? { code: `${code}\n${appended}`, map: null } : undefined),
      },
    ],
    build: {
      outDir: config.build.outDir,
      emptyOutDir: false,
      write: !inspected,
      target: 'es2023',
      sourcemap: config.build.sourcemap,
      // Nothing is preloaded: workers have no document.
      modulePreload: false,
      lib: isLibrary && { entry, formats: ['es'] },
      // Workers are one file each, in kB.
      chunkSizeWarningLimit: 3_000,
      rolldownOptions: {
        treeshake,
        checks: { pluginTimings: false },
        input: entry,
        makeAbsoluteExternalsRelative: !inspected,
        preserveEntrySignatures: signatures,
        ...(external === undefined ? {} : { external }),
        output: { format: 'iife', entryFileNames: file, codeSplitting: false, generatedCode: { symbols: false }, ...output },
      },
    },
  });
  if (missing.size > 0) throw new Error(`${source} imports no source with ${[...missing].join(' or ')}`);
  const outputs = [built].flat().flatMap((result) => ('output' in result ? result.output : []));
  const chunks = outputs.flatMap((output) => (output.type === 'chunk' ? [output] : []));
  for (const { code, fileName } of chunks) {
    const [name] = /\bsrc_\w+_ts\b/.exec(code) ?? [];
    if (name !== undefined) throw new Error(`${fileName} uses ${name}, which it does not import`);
  }
  return chunks;
}

/**
 * Writes the archive from which the worker fills its offline copy. HTML files are not in it: the worker caches them with the headers of their
 * server.
 */
function writeArchive(files: readonly string[], folder: string): ShellFiles {
  const contents = files.map((file) => [file, readFileSync(join(folder, file))] as const);
  const version = versionOf(contents);
  // A name of no known type: servers send files with the name of a compressed one decoded by the browser.
  const archive = `${assetsFolder}offline-${version}.bin`;
  const archived = contents.filter(([file]) => !file.endsWith('.html'));
  const index: ArchiveIndex = archived.map(([file, content]) => [file, contentTypeOf(file), content.length]);
  const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...archived.map(([, content]) => content)]);
  writeFileSync(join(folder, archive), gzipSync(bytes, { level: 9 }));
  return { version, files: files.filter((file) => !file.startsWith(assetsFolder)), archive };
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webmanifest': 'application/manifest+json',
};

function contentTypeOf(file: string): string {
  const type = contentTypes[extname(file)];
  if (type === undefined) throw new Error(`${file} has no known content type`);
  return type;
}

function versionOf(contents: readonly (readonly [file: string, content: Buffer])[]): string {
  const hash = createHash('sha256');
  for (const [file, content] of contents) hash.update(file).update(content);
  return hash.digest('hex').slice(0, 12);
}

type Middleware = (request: { url?: string | undefined }, response: MiddlewareResponse, next: () => void) => void;

interface MiddlewareResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

function respondUnavailableBelow(base: string): Middleware {
  const prefix = `/${base.replace(/^\.?\/|\/$/g, '')}/`;
  return (request, response, next) => {
    if (!`${request.url ?? ''}/`.startsWith(prefix)) return next();
    response.statusCode = 503;
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.end('The cluster answers in the Service Worker of its page; this request did not reach it.\n');
  };
}
