import { componentsScript, coreScript, descriptionsFile, engineScript, exampleWorkerFile } from 'virtual:tabplane-build';
import { EngineClient, type ExamplePage, enhancePage, exampleTag, pageStyles, TabplaneExample } from '../../embed/element/index.ts';
import { startEngine } from './start-engine.ts';

/**
 * Entry point of the element's script, a classic script: `<script src="…/example.js" data-names="kubernetes"></script>`. Its `data-` attributes
 * are the defaults of all examples of the page.
 */
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript : undefined;
const at = (file: string): string => new URL(file, script?.src ?? document.baseURI).href;

const urls = { core: at(coreScript), engine: at(engineScript), components: at(componentsScript), descriptions: at(descriptionsFile) };

const schedule = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

const page: ExamplePage = {
  engine: new EngineClient({ start: () => startEngine(urls, at(exampleWorkerFile)), schedule }),
  playgroundUrl: script?.dataset['playground'] ?? at('./'),
  defaultOf: (attribute) => script?.getAttribute(`data-${attribute}`) ?? null,
  examples: () => [...document.querySelectorAll(exampleTag)].filter((element) => element instanceof TabplaneExample),
};

// A second copy of the script on the same page has nothing to do.
if (customElements.get(exampleTag) === undefined) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(pageStyles);
  document.adoptedStyleSheets.push(sheet);
  const define = (): void => {
    enhancePage(document);
    // The elements find their blocks: the document is parsed.
    customElements.define(
      exampleTag,
      class extends TabplaneExample {
        override readonly page: ExamplePage = page;
      },
    );
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', define, { once: true });
  else define();
}

/** For pages that add blocks later, such as those of single-page generators: `tabplaneExamples.enhance()`. */
globalThis.tabplaneExamples = { enhance: () => enhancePage(document) };
