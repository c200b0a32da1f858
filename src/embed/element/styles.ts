import { frames } from './code-block.ts';

/** Styles of an example. Colours derive from those of the page; the custom properties and parts are documented in docs/live-examples.md. */
export const exampleStyles: string = `
:host { display: block; position: relative; margin-block: var(--tabplane-margin, 1rem); }
:host([hidden]) { display: none; }
:host([theme=light]) { color-scheme: light; --tabplane-color: #1f2328; --tabplane-background: #f6f8fa; }
:host([theme=dark]) { color-scheme: dark; --tabplane-color: #e6edf3; --tabplane-background: #161b22; }
::slotted(*) { margin-block-end: 0 !important; }
.bar { display: flex; flex-wrap: wrap; gap: .4em; align-items: center; box-sizing: border-box; min-block-size: 2.5rem; padding-block: .25rem; font: var(--tabplane-font, .875rem/1.4 system-ui, sans-serif); }
button, .link { font: inherit; color: inherit; min-block-size: 1.75rem; padding: .1em .7em; border-radius: var(--tabplane-radius, 6px); border: 1px solid var(--border); background: transparent; cursor: pointer; text-decoration: none; }
button:hover, .link:hover { background: color-mix(in srgb, currentColor 10%, transparent); }
button.primary { background: var(--tabplane-accent, #1a56c4); border-color: transparent; color: var(--tabplane-accent-text, #fff); font-weight: 600; }
button.primary:hover { filter: brightness(1.12); }
:focus-visible { outline: 2px solid var(--tabplane-focus, currentColor); outline-offset: 2px; }
button[disabled] { opacity: .6; cursor: default; }
:host { --border: var(--tabplane-border, color-mix(in srgb, currentColor 40%, transparent)); --surface: var(--tabplane-background, color-mix(in srgb, currentColor 5%, transparent)); }
.status { margin-inline-start: auto; }
.bad { font-weight: 600; text-decoration: underline; text-decoration-color: var(--tabplane-error, #c62828); text-decoration-thickness: 2px; text-underline-offset: 3px; }
.result { border: 1px solid var(--border); border-radius: var(--tabplane-radius, 6px); background: var(--surface); color: var(--tabplane-color, inherit); font: var(--tabplane-font, .875rem/1.4 system-ui, sans-serif); }
.output { margin: 0; padding: .75em 1em; max-block-size: var(--tabplane-output-height, 24em); min-block-size: 1.4em; overflow: auto; font: var(--tabplane-code-font, .85rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace); white-space: pre; tab-size: 8; }
.err { font-style: italic; }
details { border-block-start: 1px solid var(--border); padding: .4em 1em; }
summary { cursor: pointer; min-block-size: 1.75rem; align-content: center; }
ul { margin: .3em 0; padding-inline-start: 1.2em; }
code, td { font: var(--tabplane-code-font, .85em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace); overflow-wrap: anywhere; }
table { border-collapse: collapse; inline-size: 100%; }
th, td { text-align: start; padding: .15em .6em .15em 0; vertical-align: top; }
th { font-weight: 600; }
del { text-decoration-color: var(--tabplane-error, #c62828); }
.editor { display: grid; overflow: auto; }
.editor > * { grid-area: 1 / 1; margin: 0; padding: 0; border: 0; font: inherit; line-height: inherit; letter-spacing: inherit; white-space: pre; tab-size: inherit; background: transparent; overflow: hidden; min-inline-size: 100%; box-sizing: border-box; }
.editor textarea { color: transparent; caret-color: var(--caret); resize: none; outline-offset: -2px; }
.comment { opacity: .7; font-style: italic; }
.name { font-weight: 600; }
.string { text-decoration: none; opacity: .9; }
@media (forced-colors: active) { button, .link { border-color: ButtonBorder; } .editor textarea { color: CanvasText; } .editor pre { visibility: hidden; } }
@media print { .bar { display: none; } .output { max-block-size: none; white-space: pre-wrap; } }
`;

const wrapped = 'tabplane-example *';

/** Reserves the space of the buttons before an element is upgraded or a marked block is wrapped, so that nothing moves. */
export const pageStyles: string = `
tabplane-example { display: block; margin-block: var(--tabplane-margin, 1rem); }
tabplane-example > * { margin-block: 0 !important; }
@media not print {
  tabplane-example:not(:defined) { padding-block-end: 2.5rem; }
  :is(${frames}):is(.tabplane, :has(.tabplane)):not(${wrapped}, :is(${frames}) *),
  :is(pre.tabplane, .tabplane > pre, pre:has(> code.tabplane)):not(${wrapped}, :is(${frames}) *) {
    margin-block: var(--tabplane-margin, 1rem) calc(var(--tabplane-margin, 1rem) + 2.5rem) !important;
  }
}
`;
