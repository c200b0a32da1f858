import { frames } from './code-block.ts';
import { css } from './css.ts';

/**
 * Styles of an example and its buttons. Lengths are at least those with a root font of 16px: that of mdBook is smaller. Colours derive from those
 * of the page; the custom properties and parts are documented in docs/live-examples.md.
 */
export const barStyles: string = css`
:host { display: block; position: relative; margin-block: var(--tabplane-margin, 1rem); --border: var(--tabplane-border, color-mix(in srgb, currentColor 40%, transparent)); }
:host([hidden]) { display: none; }
:host([theme=light]) { color-scheme: light; }
:host([theme=dark]) { color-scheme: dark; }
::slotted(*) { margin-block-end: 0 !important; }
.bar { display: flex; flex-wrap: wrap; gap: .4em; align-items: center; box-sizing: border-box; min-block-size: max(2.5rem, 40px); padding-block: .25rem; font: var(--tabplane-font, max(.875rem, 14px)/1.4 system-ui, sans-serif); }
button { font: inherit; color: inherit; min-block-size: max(1.75rem, 28px); padding: .1em .7em; border-radius: var(--tabplane-radius, 6px); border: 1px solid var(--border); background: transparent; cursor: pointer; text-decoration: none; }
button:hover { background: color-mix(in srgb, currentColor 10%, transparent); }
button.primary { background: var(--tabplane-accent, #1a56c4); border-color: transparent; color: var(--tabplane-accent-text, #fff); font-weight: 600; }
button.primary:hover { filter: brightness(1.12); }
[aria-disabled=true] { opacity: .6; }
:focus-visible { outline: 2px solid var(--tabplane-focus, currentColor); outline-offset: 2px; }
.status { margin-inline-start: auto; }
@media (forced-colors: active) { button { border-color: ButtonBorder; } }
@media print { .bar { display: none; } }
`;

const wrapped = 'tabplane-example *';

/** Reserves the space of the buttons before an element is upgraded or a marked block is wrapped, so that nothing moves. */
export const pageStyles: string = css`
tabplane-example { display: block; margin-block: var(--tabplane-margin, 1rem); }
tabplane-example > * { margin-block: 0 !important; }
@media not print {
  tabplane-example:not(:defined) { padding-block-end: max(2.5rem, 40px); }
  :is(${frames}):is(.tabplane, :has(.tabplane)):not(${wrapped}, :is(${frames}) *),
  :is(pre.tabplane, .tabplane > pre, pre:has(> code.tabplane)):not(${wrapped}, :is(${frames}) *) {
    margin-block: var(--tabplane-margin, 1rem) calc(var(--tabplane-margin, 1rem) + max(2.5rem, 40px)) !important;
  }
}
`;
