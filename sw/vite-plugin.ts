import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, type ResolvedConfig } from 'vite';

export interface ServiceWorkerBuild {
  /** Base URL of the cluster: relative to the page's folder, or absolute. */
  readonly base: string;
  /** The product names of the cluster's API. */
  readonly names: 'svc' | 'kubernetes';
  /** frame-ancestors policy of the page when the worker serves it. */
  readonly framePolicy: string;
}

interface BuildConstants {
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
 * Modules of this project and of the localization library have no side effects on import, so unused exports can be removed. Entry files
 * and styles are the exceptions.
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
 * Builds the worker as a single file at the root (a worker can neither import() nor load scripts later), with the list of the page's
 * files to cache; in development serves it as a module. Below the cluster's base the static server answers 503 and never its index page,
 * so that a page without a worker notices that it is missing.
 */
export function serviceWorker({ base, names, framePolicy }: ServiceWorkerBuild): Plugin {
  let config: ResolvedConfig;
  const facts = (): BuildConstants =>
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
      await buildSingleFile(config, built, { source: workerSource, file: workerFile, format: 'iife' });
      await buildSingleFile(config, built, { source: coreSource, file: coreFile, format: 'es' });
      await buildSingleFile(config, built, { source: frameSource, file: frameFile, format: 'iife' });
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
      server.middlewares.use(respondUnavailableBelow(base));
    },
    configurePreviewServer(server) {
      server.middlewares.use(respondUnavailableBelow(base));
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

/** A separately built single file: neither worker nor core may share chunks with the page, which would load them first. */
interface SingleFileBuild {
  readonly source: string;
  readonly file: string;
  readonly format: 'iife' | 'es';
}

async function buildSingleFile(config: ResolvedConfig, facts: BuildConstants, { source, file, format }: SingleFileBuild): Promise<void> {
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
        // Pages import the exports of the core.
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
