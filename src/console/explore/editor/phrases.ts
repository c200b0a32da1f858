import { EditorState, type Extension } from '@codemirror/state';
import { msg } from '@lit/localize';

/** The translated phrases of CodeMirror, by the English phrase. */
export function editorPhrases(): Extension {
  return EditorState.phrases.of({
    Completions: msg('Completions'),
    Diagnostics: msg('Diagnostics', { desc: 'problems of a text' }),
    'No diagnostics': msg('No diagnostics', { desc: 'no problems in a text' }),
    close: msg('close'),
    'Fold line': msg('Fold line'),
    'Unfold line': msg('Unfold line'),
    'Folded lines': msg('Folded lines', { desc: 'before the first and the last line' }),
    'Unfolded lines': msg('Unfolded lines', { desc: 'before the first and the last line' }),
    to: msg('to', { desc: 'between the first and the last line' }),
    'folded code': msg('folded code'),
    unfold: msg('unfold'),
    'Selection deleted': msg('Selection deleted'),
  });
}
