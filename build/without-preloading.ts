import type { Plugin } from 'vite';

/**
 * Removes Vite's preloading of the dependencies and styles of a chunk from its dynamic imports: here no chunk has any to preload
 * (vite.config.ts), and helper and arguments would be 1 kB of the first load. In scripts the helper does not work.
 */
export function withoutPreloading(): Plugin {
  const helper = '\0vite/preload-helper.js';
  return {
    name: 'tabplane-without-preloading',
    enforce: 'pre',
    apply: 'build',
    load: (id) => (id === helper ? 'export const __vitePreload = (load) => load();' : undefined),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type === 'chunk')
            chunk.code = chunk.code.replace(wrapped, '$1').replace(preloadArguments, ')').replace(dependencyList, '');
        }
      },
    },
  };
}

const list = /,(?:\[\]|__vite__mapDeps\(\[[\d,]*\]\)),import\.meta\.url\)/.source;
/** A call of the helper with a plain import. Others await it in an async function, for one of its exports. */
const wrapped = new RegExp(`\\b[\\w$]+\\(\\(\\)=>(import\\(\`[^\`]*\`\\)(?:\\.then\\(\\w+=>\\w+\\.\\w+\\))?)${list}`, 'g');
const preloadArguments = new RegExp(list, 'g');
const dependencyList = /^const __vite__mapDeps=.*\n/;
