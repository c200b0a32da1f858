import { exampleViewScript } from 'virtual:tabplane-build';
import { type ExamplePage, type ExampleViews, enhancePage, exampleTag, pageStyles, TabplaneExample } from '../../embed/element/index.ts';
import { loadScript } from './load-script.ts';
import type { ScriptGlobals } from './scripts.ts';

/**
 * Entry point of the element's script, a classic script: `<script src="…/example.js" data-names="kubernetes"></script>`. Its `data-` attributes
 * are the defaults of all examples of the page.
 */
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript : undefined;
const at = (file: string): string => new URL(file, script?.src ?? document.baseURI).href;
let views: Promise<ExampleViews> | undefined;

const page: ExamplePage = {
  attributeOf: (example, name) => example.getAttribute(name) ?? script?.getAttribute(`data-${name}`) ?? null,
  examples: () => [...document.querySelectorAll(exampleTag)].filter((element) => element instanceof TabplaneExample),
  loadViews() {
    views ??= openViews();
    return views;
  },
};

async function openViews(): Promise<ExampleViews> {
  try {
    await loadScript(at(exampleViewScript));
    const { tabplaneExampleViews } = globalThis as unknown as ScriptGlobals;
    return tabplaneExampleViews.createViews(page, at, script?.dataset['playground'] ?? at('./'));
  } catch (error) {
    // The next click tries again, for instance when the network is back.
    views = undefined;
    throw error;
  }
}

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
