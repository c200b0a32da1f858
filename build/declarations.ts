import { build, type Plugin } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

/** Namespaces of types need no code, but their empty runtime is emitted as a chunk. */
const withoutRuntime: Plugin = {
  name: 'tabplane-declarations-without-runtime',
  generateBundle(_, bundle) {
    delete bundle['rolldown-runtime.d.ts'];
  },
};

/**
 * Writes the type declarations to dist/types: the library for Node and for pages, with a file of what both share; the plugins; the element. All sources
 * use `isolatedDeclarations`, so declarations are made file by file, without type checking.
 */
export async function buildDeclarations(): Promise<void> {
  await build({
    input: {
      node: 'src/hosts/node/index.ts',
      page: 'src/hosts/page/library.ts',
      plugins: 'src/embed/plugins/index.ts',
      example: 'src/embed/element/example-element.ts',
    },
    plugins: [dts({ oxc: true, emitDtsOnly: true, tsconfig: false }), withoutRuntime],
    // Of the index files of modules only what the library exports is read.
    treeshake: { moduleSideEffects: false },
    experimental: { lazyBarrel: true },
    logLevel: 'warn',
    checks: { pluginTimings: false },
    output: {
      dir: 'dist/types',
      cleanDir: true,
      chunkFileNames: '[name].d.ts',
      codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
      minifyInternalExports: false,
    },
  });
}
