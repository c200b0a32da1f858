import { attributeNames } from '../settings.ts';
import { codeOf, frames } from './code-block.ts';

export const exampleTag = 'tabplane-example';

/** Code blocks that are examples: the class is on the code, the block, or an element around it. */
const marked = 'code.tabplane, pre.tabplane, .tabplane > pre, .tabplane pre > code';
/** Wraps the marked code blocks of a page that are no elements yet. Blocks that are added later need a call of their own. */
export function enhancePage(page: Document): void {
  for (const code of page.querySelectorAll(marked)) {
    const block = outermostFrame(code.closest('pre') ?? code);
    if (block.closest(exampleTag) !== null || codeOf(block.parentElement ?? block) === null) continue;
    const example = page.createElement(exampleTag);
    copyAttributes([code, code.closest('pre'), block, code.closest('.tabplane')], example);
    block.replaceWith(example);
    example.append(block);
  }
}

function outermostFrame(block: Element): Element {
  let outermost = block;
  for (let parent = block.parentElement; parent?.matches(frames); parent = parent.parentElement) outermost = parent;
  return outermost;
}

/** Attributes of blocks: `data-tabplane-cluster="shop"`, or `data-cluster="shop"`. */
function copyAttributes(sources: readonly (Element | null)[], example: Element): void {
  for (const name of attributeNames) {
    const names = [`data-tabplane-${name}`];
    // `data-lang` is the language of the code.
    if (name !== 'lang') names.push(`data-${name}`);
    const values = sources.flatMap((source) => names.map((one) => source?.getAttribute(one)));
    const value = values.find((one) => typeof one === 'string');
    if (typeof value === 'string') example.setAttribute(name, value);
  }
}

/** The block with the documented output: the next one after an example, also with text between them. Its actual output replaces it. */
export function documentedOutput(example: Element): HTMLElement | null {
  const outputs = '.tabplane-output, .output';
  const blocks = `pre, ${outputs}, ${frames}`;
  let next = example.nextElementSibling;
  // The blocks of a following section are not those of this example.
  while (next && !next.matches(blocks) && !next.querySelector('pre')) next = next.nextElementSibling;
  const isOutput = next?.matches(outputs) || (next?.matches(blocks) && next.querySelector('code.output, code.language-output'));
  return isOutput && next instanceof HTMLElement ? next : null;
}
