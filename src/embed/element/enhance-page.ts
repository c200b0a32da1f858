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
    const values = sources.map((source) => source?.getAttribute(`data-tabplane-${name}`) ?? source?.getAttribute(`data-${name}`));
    const value = values.find((one) => typeof one === 'string');
    if (typeof value === 'string') example.setAttribute(name, value);
  }
}

/** The block with the documented output after an example, which its actual output replaces. */
export function documentedOutput(example: Element): HTMLElement | null {
  const next = example.nextElementSibling;
  const isOutput = next?.matches('.tabplane-output, .output') || next?.querySelector('code.output, code.language-output') != null;
  return isOutput && next instanceof HTMLElement ? next : null;
}
