import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colors of the parts of a text. */
export const highlightStyle: HighlightStyle = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), color: 'var(--info)' },
  { tag: tags.propertyName, color: 'var(--info)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.meta, tags.keyword, tags.labelName, tags.typeName], color: 'var(--warn)' },
  { tag: tags.punctuation, color: 'var(--muted)' },
]);

/** The editor in the page's colors, which change with its theme. */
export const editorTheme: Extension = [
  EditorView.theme({
    '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '0.8125rem' },
    '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
    '.cm-content': { caretColor: 'var(--accent)', padding: '0.5rem 0' },
    '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
    '.cm-gutters': { color: 'var(--muted)', backgroundColor: 'var(--raised)', borderRight: '1px solid var(--line)' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
    '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, .cm-content ::selection': {
      backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent)',
    },
    '.cm-server, .cm-server *': { color: 'var(--muted) !important' },
    '.cm-tooltip': {
      color: 'var(--text)',
      backgroundColor: 'var(--surface)',
      border: '1px solid var(--line-strong)',
      borderRadius: 'var(--radius-small)',
    },
    '.cm-tooltip.cm-completionInfo, .cm-tooltip .cm-about': {
      maxWidth: '28rem',
      padding: '0.375rem 0.625rem',
      fontFamily: 'var(--font)',
      fontSize: 'var(--small-size)',
      whiteSpace: 'pre-wrap',
    },
    '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '16rem' },
    '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--text)', backgroundColor: 'var(--accent-soft)' },
    '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
    '.cm-completionMatchedText': { color: 'var(--accent)', textDecoration: 'none', fontWeight: '600' },
    '.cm-diagnostic': { fontFamily: 'var(--font)', fontSize: 'var(--small-size)' },
    '.cm-diagnosticAction': { backgroundColor: 'var(--accent)', color: 'var(--accent-text)' },
    '.cm-foldPlaceholder': { color: 'var(--muted)', backgroundColor: 'var(--sunken)', borderColor: 'var(--line)' },
  }),
  syntaxHighlighting(highlightStyle),
];
