import { defineConfig } from 'vite';
import { buildCommit } from './build/build-commit.ts';
import { buildDeclarations } from './build/declarations.ts';
import { inAscii } from './build/in-ascii.ts';

/** Dependencies are bundled, since resolving and reading many small files is slower than one large file. gRPC stays external: only etcd needs it. */
const resolve = { noExternal: true as const, external: ['@grpc/grpc-js'] };
const build = { ssr: true, outDir: 'dist/node', target: 'node20', minify: false, copyPublicDir: false } as const;

/** The library, the plugins of generators, the program, and its launcher with V8's compile cache (src/hosts/node/launch.ts). */
export default defineConfig({
  define: buildCommit,
  builder: {
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments)) if (environment.name !== 'client') await builder.build(environment);
      await buildDeclarations();
    },
  },
  plugins: [inAscii()],
  environments: {
    ssr: {
      resolve,
      build: {
        ...build,
        emptyOutDir: true,
        rolldownOptions: {
          input: { tabplane: 'src/hosts/node/launch.ts', library: 'src/hosts/node/index.ts', plugins: 'src/embed/plugins/index.ts' },
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
          input: { program: 'src/hosts/node/main.ts' },
          output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'assets/[name]-[hash].cjs' },
        },
      },
    },
  },
});
