import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, type ResolvedConfig } from 'vite';

export interface ServiceWorkerBuild {
  /** Where the cluster answers: relative to the page's folder, or absolute. */
  readonly base: string;
  /** Whose names the cluster speaks. */
  readonly names: 'svc' | 'kubernetes';
  /** Which pages may show this one in a frame: the policy that comes with the page from the worker. */
  readonly framePolicy: string;
}

interface BuildFacts {
  readonly base: string;
  readonly names: ServiceWorkerBuild['names'];
  readonly framePolicy: string;
  readonly release: string;
  readonly workerFile: string;
  readonly workerType: 'classic' | 'module';
  readonly coreFile: string;
  readonly shell: { readonly version: string; readonly files: readonly string[] };
}

/**
 * Importing a file of ours does nothing by itself (style.md 9), so what is not used of it can go. Entries and styles are what they do.
 * Nor does it of the library for messages: what speaks other languages comes with one.
 */
export const treeshake = {
  moduleSideEffects: (id: string): boolean =>
    !/\/src\/|\/@lit\/localize\//.test(id) || /\/hosts\/(page\/main|fetch-frame\/fetch-frame)\.ts$|\.css$/.test(id),
};

const virtualId = 'virtual:tabplane-build';
const workerFile = 'sw.js';
const workerSource = 'sw/sw.ts';
const coreFile = 'core.js';
const coreSource = 'src/hosts/page/core-module.ts';
const frameFile = 'fetch-frame.js';
const frameSource = 'src/hosts/fetch-frame/fetch-frame.ts';
const release: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
const emptyShell = { version: 'dev', files: [] };

/**
 * Builds the worker as one whole file at the root (a worker can neither import() nor load scripts late), with the list of the page's
 * files to keep; in development serves it as a module. Under the cluster's base the static server answers 503 and never its
 * index page, so that a page without a worker sees that nobody is there.
 */
export function serviceWorker({ base, names, framePolicy }: ServiceWorkerBuild): Plugin {
  let config: ResolvedConfig;
  const facts = (): BuildFacts =>
    config.command === 'serve'
      ? { base, names, framePolicy, release, workerFile, workerType: 'module', coreFile: coreSource, shell: emptyShell }
      : { base, names, framePolicy, release, workerFile, workerType: 'classic', coreFile, shell: emptyShell };
  return {
    name: 'tabplane-service-worker',
    configResolved(resolved) {
      config = resolved;
    },
    ...buildModule(facts),
    async writeBundle(_options, bundle) {
      const publicFiles = config.publicDir === '' ? [] : readdirSync(config.publicDir, { recursive: true, encoding: 'utf8' });
      const files = [...Object.keys(bundle), ...publicFiles].filter((file) => !file.endsWith('.map'));
      const shell = { version: versionOf(files, config.build.outDir), files: files.sort() };
      const built = { ...facts(), shell };
      await buildWhole(config, built, { source: workerSource, file: workerFile, format: 'iife' });
      await buildWhole(config, built, { source: coreSource, file: coreFile, format: 'es' });
      await buildWhole(config, built, { source: frameSource, file: frameFile, format: 'iife' });
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (request.url?.split('?')[0] !== `${server.config.base}${workerFile}`) return next();
        response.setHeader('content-type', 'text/javascript');
        response.setHeader('service-worker-allowed', '/');
        response.end(`import '/${workerSource}';`);
      });
      server.middlewares.use((request, response, next) => {
        if (request.url !== `${server.config.base}${frameFile}`) return next();
        response.setHeader('content-type', 'text/javascript');
        void server.transformRequest(`/${frameSource}`).then((built) => response.end(built?.code), next);
      });
      server.middlewares.use(nobodyBelow(base));
    },
    configurePreviewServer(server) {
      server.middlewares.use(nobodyBelow(base));
    },
  };
}

/** The module through which page and worker know the build's facts. */
function buildModule(facts: () => BuildFacts): Pick<Plugin, 'resolveId' | 'load'> {
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

/** Something that is one whole file, built for itself: neither worker nor core may share parts with the page, which would load them first. */
interface WholeFile {
  readonly source: string;
  readonly file: string;
  readonly format: 'iife' | 'es';
}

async function buildWhole(config: ResolvedConfig, facts: BuildFacts, { source, file, format }: WholeFile): Promise<void> {
  await build({
    configFile: false,
    root: config.root,
    publicDir: false,
    define: config.define ?? {},
    logLevel: 'warn',
    plugins: [{ name: 'tabplane-build-facts', ...buildModule(() => facts) }],
    build: {
      outDir: config.build.outDir,
      emptyOutDir: false,
      target: 'es2023',
      sourcemap: config.build.sourcemap,
      rolldownOptions: {
        treeshake,
        input: join(config.root, source),
        // The core's exports are what pages import it for.
        ...(format === 'es' ? { preserveEntrySignatures: 'exports-only' } : {}),
        output: { format, entryFileNames: file, codeSplitting: false },
      },
    },
  });
}

function versionOf(files: readonly string[], folder: string): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 12);
}

type Middleware = (request: { url?: string | undefined }, response: Answerer, next: () => void) => void;

interface Answerer {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

function nobodyBelow(base: string): Middleware {
  const prefix = `/${base.replace(/^\.?\/|\/$/g, '')}/`;
  return (request, response, next) => {
    if (!`${request.url ?? ''}/`.startsWith(prefix)) return next();
    response.statusCode = 503;
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.end('The cluster answers in the Service Worker of its page; this request did not reach it.\n');
  };
}
