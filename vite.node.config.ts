import { defineConfig } from 'vite';

/** The server and the library for Node, each one file. */
export default defineConfig({
  build: {
    ssr: true,
    outDir: 'dist/node',
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      input: { tabplane: 'src/hosts/node/main.ts', library: 'src/hosts/node/index.ts' },
      output: { entryFileNames: '[name].js' },
    },
  },
});
