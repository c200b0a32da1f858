import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { descriptionData } from '../src/schema/description-data.ts';

const source = '/src/schema/description-data.ts';
const file = 'descriptions.json.gz';

/**
 * Builds the descriptions of kinds, which few processes read, as a compressed file beside the chunks: a quarter of their size in the package.
 * The environment `environment` has CommonJS chunks in the folder `assets`.
 */
export function compressedDescriptions(environment: string): Plugin {
  return {
    name: 'tabplane-compressed-descriptions',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === environment,
    load(id) {
      if (!id.endsWith(source)) return undefined;
      return [
        "import { readFileSync } from 'node:fs';",
        "import { join } from 'node:path';",
        "import { gunzipSync } from 'node:zlib';",
        `export const descriptionData = JSON.parse(gunzipSync(readFileSync(join(__dirname, '${file}'))));`,
      ].join('\n');
    },
    // Vite removes assets that are emitted before this from builds for servers.
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: `assets/${file}`, source: gzipSync(JSON.stringify(descriptionData), { level: 9 }) });
    },
  };
}
