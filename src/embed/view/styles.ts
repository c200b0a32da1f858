import { css } from '../element/index.ts';

/** Styles of results and editors, beside those of the buttons. */
export const viewStyles: string = css`
:host { --surface: var(--tabplane-background, color-mix(in srgb, currentColor 5%, transparent)); }
:host([theme=light]) { --tabplane-color: #1f2328; --tabplane-background: #f6f8fa; }
:host([theme=dark]) { --tabplane-color: #e6edf3; --tabplane-background: #161b22; }
.link { box-sizing: border-box; min-block-size: max(1.75rem, 28px); padding: .1em .7em; border-radius: var(--tabplane-radius, 6px); border: 1px solid var(--border); color: inherit; text-decoration: none; }
.link:hover { background: color-mix(in srgb, currentColor 10%, transparent); }
.bad { font-weight: 600; text-decoration: underline 2px var(--tabplane-error, #c62828); text-underline-offset: 3px; }
.result { border: 1px solid var(--border); border-radius: var(--tabplane-radius, 6px); background: var(--surface); color: var(--tabplane-color, inherit); font: var(--tabplane-font, max(.875rem, 14px)/1.4 system-ui, sans-serif); }
.output { box-sizing: border-box; margin: 0; padding: .75em 1em; max-block-size: var(--tabplane-output-height, 24em); min-block-size: 2.9em; overflow: auto; font: var(--tabplane-code-font, max(.85rem, 13.6px)/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace); white-space: pre; tab-size: 8; }
.err { font-style: italic; }
details { border-block-start: 1px solid var(--border); padding: .4em 1em; }
summary { cursor: pointer; min-block-size: max(1.75rem, 28px); align-content: center; }
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
@media (forced-colors: active) { .link { border-color: ButtonBorder; } .editor textarea { color: CanvasText; } .editor pre { visibility: hidden; } }
@media print { .output { max-block-size: none; white-space: pre-wrap; } }
`;
