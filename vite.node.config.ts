import { defineConfig } from 'vite';

/** What makes certificates and tokens is many small CommonJS files, and loading them took a third of the start: they come along. */
const bundled = ['@peculiar/**', 'asn1js', 'idb', 'jose', 'pvtsutils', 'pvutils', 'reflect-metadata', 'tslib', 'tsyringe'];

/** The server and the library for Node. */
export default defineConfig({
  ssr: { noExternal: bundled.map((name) => (name.endsWith('/**') ? new RegExp(`^${name.slice(0, -2)}`) : name)) },
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
