/**
 * Which module may import which. Rows are in dependency order: a module imports only modules above it.
 * docs/architecture.md describes the modules.
 */
export const modules: Readonly<Record<string, readonly string[]>> = {
  env: [],
  meta: [],
  regexp: [],
  x509: ['meta'],
  schema: ['meta', 'regexp', 'x509'],
  cel: ['env', 'meta', 'regexp', 'schema'],
  storage: ['env'],
  codec: ['meta', 'schema'],
  patch: ['meta', 'schema'],
  watch: ['env', 'meta', 'storage'],
  registry: ['env', 'meta', 'schema', 'cel', 'storage', 'patch', 'watch'],
  authn: ['env', 'meta', 'cel'],
  authz: ['env', 'meta', 'cel'],
  audit: ['env', 'meta', 'authz'],
  admission: ['env', 'meta', 'schema', 'cel', 'patch'],
  server: ['env', 'meta', 'schema', 'storage', 'codec', 'authn', 'authz', 'audit', 'admission', 'registry', 'patch', 'watch'],
  client: ['env', 'meta', 'schema', 'codec'],
  'component-helpers': ['meta', 'schema'],
  controllers: ['env', 'meta', 'schema', 'cel', 'client', 'component-helpers'],
  scheduler: ['env', 'meta', 'schema', 'client', 'component-helpers'],
  node: ['env', 'meta', 'schema', 'client', 'component-helpers'],
  cluster: [
    'env',
    'meta',
    'x509',
    'schema',
    'cel',
    'storage',
    'codec',
    'patch',
    'watch',
    'registry',
    'authn',
    'authz',
    'audit',
    'admission',
    'server',
    'client',
    'controllers',
    'scheduler',
    'node',
  ],
  shell: ['env', 'meta'],
  kubectl: ['env', 'meta', 'regexp', 'x509', 'schema', 'codec', 'patch', 'client', 'shell'],
  tutorials: ['env', 'meta', 'cel', 'codec', 'client', 'shell', 'kubectl'],
  console: ['env', 'meta', 'schema', 'client', 'shell', 'kubectl', 'tutorials'],
  hosts: ['env', 'meta', 'regexp', 'x509', 'schema', 'storage', 'codec', 'client', 'cluster', 'shell', 'kubectl', 'tutorials', 'console'],
};

/** npm packages that a module, or one folder of it, may import; all other modules have no dependencies. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  authn: ['jose'],
  controllers: ['jose', '@noble/hashes'],
  // Synchronous hashes; those of the platform are asynchronous.
  registry: ['@noble/hashes'],
  storage: ['idb'],
  // The editor is loaded lazily; virtual:tabplane-lessons contains the compiled src/tutorials/lessons.
  console: [
    'fflate',
    'lit',
    '@lit/localize',
    '@codemirror/autocomplete',
    '@codemirror/commands',
    '@codemirror/lang-yaml',
    '@codemirror/language',
    '@codemirror/lint',
    '@codemirror/state',
    '@codemirror/view',
    '@lezer/common',
    '@lezer/highlight',
    'virtual:tabplane-lessons',
  ],
  tutorials: ['micromark', 'micromark-extension-gfm'],
  // virtual:tabplane-build contains constants of the build: file names and the base.
  hosts: ['virtual:tabplane-build', 'workbox-window'],
  // In Node only: they would be a tenth of the browser's worker.
  'hosts/node': ['@grpc/grpc-js', '@peculiar/x509', 'reflect-metadata'],
};

/** Modules that may use globals of the platform; all others get ports. */
export const platformModules: ReadonlySet<string> = new Set(['hosts', 'console']);

/** Platform globals that other modules must not use, and their replacements. */
export const bannedGlobals: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bDate\.now\(|\bnew Date\(\s*\)/, 'clock.nowMs() from env'],
  [/\bMath\.random\(|\bcrypto\.(randomUUID|getRandomValues)\(/, 'random from env'],
  [/\bset(Timeout|Interval)\(|\bperformance\.now\(/, 'clock.sleep() from env'],
  [/\bconsole\.(log|warn|error|debug|info)\(/, 'log from env'],
  [/\b(globalThis|self|window|navigator|indexedDB|localStorage)\b\s*[.[]/, 'a port passed in by hosts'],
];
