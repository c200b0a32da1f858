/**
 * Which room may look into which. Rows are in dependency order: a room only looks up the list.
 * The way of a request itself is told in src/README.md.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  env: [],
  meta: [],
  regexp: [],
  schema: ['meta', 'regexp'],
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
  client: ['env', 'meta', 'codec'],
  controllers: ['env', 'meta', 'schema', 'client'],
  cluster: [
    'env',
    'meta',
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
  ],
  kubectl: ['env', 'meta', 'regexp', 'schema', 'codec', 'patch', 'client'],
  tutorials: ['env', 'meta', 'cel', 'codec', 'client', 'kubectl'],
  console: ['env', 'meta', 'schema', 'client', 'kubectl', 'tutorials'],
  hosts: ['env', 'meta', 'regexp', 'storage', 'codec', 'client', 'cluster', 'kubectl', 'tutorials', 'console'],
};

/** Packages a room may import besides its own files; every other room is dependency-free. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  authn: ['jose'],
  controllers: ['jose'],
  // A hash that is there at once, which the platform's is not.
  registry: ['@noble/hashes'],
  storage: ['idb'],
  // The editor, loaded when the first object is edited; virtual:tabplane-lessons is what the build compiles of src/tutorials/lessons.
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
  // virtual:tabplane-build is what the build knows of itself: names of files and the base.
  hosts: ['@grpc/grpc-js', '@peculiar/x509', 'reflect-metadata', 'virtual:tabplane-build', 'workbox-window'],
};

/** Rooms that may touch the platform's globals. Everyone else is handed what it needs. */
export const platformRooms: ReadonlySet<string> = new Set(['hosts', 'console']);

/** Text that does not belong in a room, and what to write instead. */
export const banned: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bDate\.now\(|\bnew Date\(\s*\)/, 'clock.nowMs() from env'],
  [/\bMath\.random\(|\bcrypto\.(randomUUID|getRandomValues)\(/, 'random from env'],
  [/\bset(Timeout|Interval)\(|\bperformance\.now\(/, 'clock.sleep() from env'],
  [/\bconsole\.(log|warn|error|debug|info)\(/, 'log from env'],
  [/\b(globalThis|self|window|navigator|indexedDB|localStorage)\b\s*[.[]/, 'a port handed in by hosts'],
];
