import type { Plugin } from 'vite';

/** Removes what only readers of the source need from JSON that is imported as text: white space, and documentation (`$doc`) of the catalog. */
export function compactData(): Plugin {
  return {
    name: 'tabplane-compact-data',
    apply: 'build',
    transform: {
      filter: { id: /\/src\/.*\.json\?raw$/ },
      handler(module) {
        const text: string = JSON.parse(module.slice(module.indexOf('"'), module.lastIndexOf('"') + 1));
        const data = JSON.parse(text, (name, value) => (name === '$doc' ? undefined : value));
        return { code: `export default ${JSON.stringify(JSON.stringify(data))};`, map: null };
      },
    },
  };
}
