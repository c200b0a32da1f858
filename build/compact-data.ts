import type { Plugin } from 'vite';

/** Removes what only readers of the source need from the catalog's data: white space and documentation (`$doc`). */
export function compactData(): Plugin {
  return {
    name: 'tabplane-compact-data',
    apply: 'build',
    transform: {
      filter: { id: /\/src\/schema\/data\/.*\.json\?raw$/ },
      handler(module) {
        const text: string = JSON.parse(module.slice(module.indexOf('"'), module.lastIndexOf('"') + 1));
        const { $doc: _, ...data } = JSON.parse(text);
        return { code: `export default ${JSON.stringify(JSON.stringify(data))};`, map: null };
      },
    },
  };
}
