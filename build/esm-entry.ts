import type { Plugin } from 'vite';

/** Adds a module beside a CommonJS entry, with its exports: `library.js` of `library.cjs`. */
export function esmEntry(name: string): Plugin {
  return {
    name: 'tabplane-esm-entry',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.isEntry || chunk.name !== name) continue;
        const source = `import entry from './${chunk.fileName}';\nexport const { ${chunk.exports.join(', ')} } = entry;\n`;
        this.emitFile({ type: 'asset', fileName: `${name}.js`, source });
      }
    },
  };
}
