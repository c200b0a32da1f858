import type { Plugin } from 'vite';

/** Adds a module beside each of the named CommonJS entries, with its exports: `library.js` of `library.cjs`. Both share the chunks of the build. */
export function esmEntries(...names: readonly string[]): Plugin {
  return {
    name: 'tabplane-esm-entries',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.isEntry || !names.includes(chunk.name)) continue;
        const source = `import entry from './${chunk.fileName}';\nexport const { ${chunk.exports.join(', ')} } = entry;\n`;
        this.emitFile({ type: 'asset', fileName: `${chunk.name}.js`, source });
      }
    },
  };
}
