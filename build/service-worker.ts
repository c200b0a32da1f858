import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, type ResolvedConfig } from 'vite';

export interface ServiceWorkerBuild {
  /** Where the cluster answers: relative to the page's folder, or absolute. */
  readonly base: string;
}

interface BuildFacts {
  readonly base: string;
  readonly workerFile: string;
  readonly workerType: 'classic' | 'module';
  readonly coreFile: string;
  readonly shell: { readonly version: string; readonly files: readonly string[] };
}

const virtualId = 'virtual:tabplane-build';
const workerFile = 'sw.js';
const workerSource = 'sw/sw.ts';
const emptyShell = { version: 'dev', files: [] };

/**
 * Builds the worker as one whole file at the root (a worker can neither import() nor load scripts late), with the list of the page's
 * files to keep; in development serves it as a module. Under the cluster's base the static server answers 503 and never its
 * index page, so that a page without a worker sees that nobody is there.
 */
export function serviceWorker({ base }: ServiceWorkerBuild): Plugin {
  let config: ResolvedConfig;
  const facts = (): BuildFacts =>
    config.command === 'serve'
      ? { base, workerFile, workerType: 'module', coreFile: 'src/hosts/page/core-module.ts', shell: emptyShell }
      : { base, workerFile, workerType: 'classic', coreFile: 'core.js', shell: emptyShell };
  return {
    name: 'tabplane-service-worker',
    configResolved(resolved) {
      config = resolved;
    },
    ...buildModule(facts),
    async writeBundle(_options, bundle) {
      const publicFiles = config.publicDir === '' ? [] : readdirSync(config.publicDir, { recursive: true, encoding: 'utf8' });
      const ours = [...Object.keys(bundle), ...publicFiles];
      // The core's own module is for pages that have no worker, so no copy of it is kept by one.
      const files = ours.filter((file) => !file.endsWith('.map') && file !== 'core.js');
      const shell = { version: versionOf(files, config.build.outDir), files: files.sort() };
      await buildWorker(config, { ...facts(), shell });
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (request.url?.split('?')[0] !== `${server.config.base}${workerFile}`) return next();
        response.setHeader('content-type', 'text/javascript');
        response.setHeader('service-worker-allowed', '/');
        response.end(`import '/${workerSource}';`);
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

async function buildWorker(config: ResolvedConfig, facts: BuildFacts): Promise<void> {
  await build({
    configFile: false,
    root: config.root,
    publicDir: false,
    logLevel: 'warn',
    plugins: [{ name: 'tabplane-build-facts', ...buildModule(() => facts) }],
    build: {
      outDir: config.build.outDir,
      emptyOutDir: false,
      target: 'es2023',
      sourcemap: config.build.sourcemap,
      rolldownOptions: {
        input: join(config.root, workerSource),
        output: { format: 'iife', entryFileNames: workerFile, codeSplitting: false },
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
