import { defineConfig } from 'vite';
import { buildCommit } from './build/build-commit.ts';
import { compactData } from './build/compact-data.ts';
import { compressedDescriptions } from './build/compressed-descriptions.ts';
import { buildDeclarations } from './build/declarations.ts';
import { esmEntry } from './build/esm-entry.ts';
import { inAscii } from './build/in-ascii.ts';

/** Dependencies are bundled, since resolving and reading many small files is slower than one large file. gRPC stays external: only etcd needs it. */
const resolve = { noExternal: true as const, external: ['@grpc/grpc-js'] };
const build = { ssr: true, outDir: 'dist/node', target: 'node20', minify: false, copyPublicDir: false } as const;
/** Stack traces in logs and reports need the names of functions and classes. */
const keepNames = { function: true, class: true };
/** Modules of this project have no side effects on import, except for the launcher, which is a program. */
const treeshake = { moduleSideEffects: (id: string): boolean => !/\/src\//.test(id) || /\/hosts\/node\/launch\.ts$/.test(id) };

/**
 * The launcher with V8's compile cache (src/hosts/node/launch.ts) and the plugins of generators, which are modules; and the program and the
 * library, which share their chunks.
 */
export default defineConfig({
  define: buildCommit,
  builder: {
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments)) if (environment.name !== 'client') await builder.build(environment);
      await buildDeclarations();
    },
  },
  plugins: [compactData(), compressedDescriptions('program'), inAscii(), esmEntry('library')],
  environments: {
    ssr: {
      resolve,
      build: {
        ...build,
        emptyOutDir: true,
        rolldownOptions: {
          treeshake,
          input: { tabplane: 'src/hosts/node/launch.ts', plugins: 'src/embed/plugins/index.ts' },
          output: { entryFileNames: '[name].js' },
        },
      },
    },
    program: {
      consumer: 'server',
      resolve,
      build: {
        ...build,
        emptyOutDir: false,
        rolldownOptions: {
          treeshake,
          input: { program: 'src/hosts/node/main.ts', library: 'src/hosts/node/index.ts' },
          output: {
            format: 'cjs',
            entryFileNames: '[name].cjs',
            chunkFileNames: 'assets/[name]-[hash].cjs',
            comments: false,
            minify: { compress: { keepNames }, mangle: { keepNames }, codegen: true },
          },
        },
      },
    },
  },
});
