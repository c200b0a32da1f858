import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { history, historyKeymap, standardKeymap, toggleComment } from '@codemirror/commands';
import { yaml, yamlLanguage } from '@codemirror/lang-yaml';
import { codeFolding, ensureSyntaxTree, foldGutter, foldKeymap } from '@codemirror/language';
import { type Diagnostic, forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { Compartment, EditorState, type Extension, type Range, StateEffect } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  type Tooltip,
  type ViewUpdate,
} from '@codemirror/view';
import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import { formatGroupVersion } from '../../../kubectl/index.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { serverMetadata } from '../object/omit-fields.ts';
import { joinWithOr } from '../or-text.ts';
import { createCompletionSource, readFieldAt, type ServerKnowledge } from './completion.ts';
import { findField } from './field-place.ts';
import { editorPhrases } from './phrases.ts';
import { type Finding, lintDocument, lintUnknown } from './schema-lint.ts';
import { editorTheme } from './theme.ts';
import { readDocuments, scalarAt, type YamlEntry, type YamlNode } from './yaml-nodes.ts';

/** An error of the server about a field. */
export interface FieldCause {
  readonly field: string;
  readonly message: string;
}

export const completionOptions = { icons: false, activateOnTypingDelay: 50 } as const;

/** Time limit for parsing a large text. A partial tree is used after it. */
const parseMs = 200;

/** A YAML editor with the server's schema: completion, field descriptions and diagnostics. Fires `edited` with the text. */
export class CodeEditor extends LitElement {
  static override properties: PropertyDeclarations = { knowledge: { attribute: false }, label: {}, locked: { type: Boolean } };
  declare knowledge: ServerKnowledge;
  declare label: string;
  /** Whether the text is read-only. */
  declare locked: boolean;
  readonly #locking = new Compartment();
  protected view: EditorView | undefined;
  #setting = false;
  #first = '';
  /** Errors of the server about the current text. */
  #causes: readonly FieldCause[] = [];

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: block;
        min-height: 0;
        height: 100%;
      }
      #holder {
        height: 100%;
      }
    `,
  ];

  get text(): string {
    return this.view?.state.doc.toString() ?? this.#first;
  }

  /** Replaces the text. The change can be undone. */
  set text(text: string) {
    const { view } = this;
    if (view === undefined) this.#first = text;
    else if (text !== this.text) {
      this.#setting = true;
      view.dispatch({ changes: minimalChange(this.text, text) });
      this.#setting = false;
    }
  }

  override focus(): void {
    this.view?.focus();
  }

  override render(): TemplateResult {
    return html`<div id="holder"></div>`;
  }

  override firstUpdated(): void {
    const parent = this.renderRoot.querySelector('#holder');
    if (parent === null) return;
    this.view = new EditorView({
      parent,
      root: this.renderRoot as ShadowRoot,
      state: EditorState.create({ doc: this.#first, extensions: this.#extensions() }),
    });
  }

  override updated(changed: Map<string, unknown>): void {
    if (changed.has('locked')) this.view?.dispatch({ effects: this.#locking.reconfigure(EditorState.readOnly.of(this.locked)) });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#first = this.text;
    this.view?.destroy();
    this.view = undefined;
  }

  /** Runs the linter now. */
  check(): void {
    if (this.view !== undefined) forceLinting(this.view);
  }

  /** Marks the fields of the server's errors until the text changes. */
  markCauses(causes: readonly FieldCause[]): void {
    this.#causes = causes;
    this.view?.dispatch({ effects: causesChanged.of(null) });
    this.check();
  }

  /** Highlighting, completion and diagnostics of the language. */
  protected languageSupport(): Extension {
    const { knowledge } = this;
    return [
      yaml(),
      serverFieldLines,
      autocompletion({ ...completionOptions, override: [createCompletionSource(knowledge)] }),
      linter((view) => lintView(view, knowledge, this.#causes), { delay: 250, needsRefresh }),
      hoverTooltip((view, position) => describeField(view, position, knowledge)),
    ];
  }

  #extensions(): Extension {
    return [
      lineNumbers(),
      foldGutter(),
      codeFolding(),
      history(),
      closeBrackets(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      EditorState.tabSize.of(2),
      editorTheme,
      editorPhrases(),
      this.languageSupport(),
      this.#locking.of(EditorState.readOnly.of(this.locked)),
      lintGutter(),
      // Tab accepts a completion, else moves the focus, to avoid a keyboard trap.
      keymap.of([
        { key: 'Tab', run: acceptCompletion },
        ...closeBracketsKeymap,
        ...standardKeymap,
        { key: 'Mod-/', run: toggleComment },
        ...historyKeymap,
        ...foldKeymap,
        ...completionKeymap,
        ...lintKeymap,
      ]),
      EditorView.contentAttributes.of({ 'aria-label': this.label, spellcheck: 'false', tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.#causes = [];
        if (update.docChanged && !this.#setting) this.dispatchEvent(new CustomEvent('edited', { detail: this.text }));
      }),
    ];
  }
}

function parseDocuments(state: EditorState): readonly YamlNode[] {
  const tree = ensureSyntaxTree(state, state.doc.length, parseMs) ?? yamlLanguage.parser.parse(state.doc.toString());
  return readDocuments(tree, state.doc.toString());
}

/** The errors of the server have changed, but not the text. */
const causesChanged = StateEffect.define<null>();

function needsRefresh({ transactions }: ViewUpdate): boolean {
  return transactions.some(({ effects }) => effects.some((effect) => effect.is(causesChanged)));
}

async function lintView(view: EditorView, knowledge: ServerKnowledge, causes: readonly FieldCause[]): Promise<Diagnostic[]> {
  const found: Finding[] = [];
  for (const root of parseDocuments(view.state)) {
    for (const { field, message } of causes) found.push({ ...findField(root, field), message: `${field}: ${message}`, severity: 'error' });
    const [apiVersion, kind] = [scalarAt(root, 'apiVersion'), scalarAt(root, 'kind')];
    const schema = await knowledge.schemas.findSchema(apiVersion, kind).catch(() => undefined);
    const kinds = knowledge.types().filter((type) => formatGroupVersion(type) === apiVersion);
    const known = kinds.some((type) => type.kind === kind);
    if (schema !== undefined) found.push(...lintDocument(root, schema));
    else if (!known)
      found.push(
        ...lintUnknown(
          root,
          kinds.map((type) => type.kind),
        ),
      );
  }
  return found.map(({ instead, ...finding }): Diagnostic => {
    if (instead === undefined) return finding;
    const apply = (target: EditorView, from: number, to: number): void => target.dispatch({ changes: { from, to, insert: instead } });
    return { ...finding, actions: [{ name: msg(str`Change to ${instead}`), apply }] };
  });
}

async function describeField(view: EditorView, position: number, knowledge: ServerKnowledge): Promise<Tooltip | null> {
  const line = view.state.doc.lineAt(position);
  const name = /^(\s*(?:-\s+)*)([\w./$-]+):/.exec(line.text);
  const from = line.from + (name?.[1]?.length ?? 0);
  const end = from + (name?.[2]?.length ?? 0);
  if (name === null || position < from || position > end) return null;
  const field = await readFieldAt(knowledge, view.state.doc.toString(), end);
  if (field === undefined || field.about === '') return null;
  const create = (): { dom: HTMLElement } => {
    const dom = document.createElement('div');
    dom.className = 'cm-about';
    dom.textContent = `${joinWithOr(field.types)}\n${field.about}`;
    return { dom };
  };
  return { pos: from, end, above: true, create };
}

const greyLine = Decoration.line({ class: 'cm-server' });

/** Dims the lines of fields that only the server writes: status and server metadata. */
const serverFieldLines = EditorView.decorations.compute(['doc'], findServerFieldLines);

function findServerFieldLines(state: EditorState): DecorationSet {
  const lines = new Set<number>();
  for (const entry of parseDocuments(state).flatMap(entriesOf)) {
    if (entry.name === 'status') addLines(state, entry, lines);
    if (entry.name !== 'metadata') continue;
    for (const one of entriesOf(entry.value)) if (serverMetadata.includes(one.name)) addLines(state, one, lines);
  }
  const ranges = [...lines].sort((a, b) => a - b).map((from): Range<Decoration> => greyLine.range(from));
  return Decoration.set(ranges);
}

function entriesOf(node: YamlNode | undefined): readonly YamlEntry[] {
  return node?.kind === 'map' ? node.entries : [];
}

function addLines({ doc }: EditorState, { from, to, value }: YamlEntry, lines: Set<number>): void {
  const last = doc.lineAt(value?.to ?? to).number;
  for (let at = doc.lineAt(from).number; at <= last; at++) lines.add(doc.line(at).from);
}

/** The minimal change, so that the cursor position is preserved. */
function minimalChange(before: string, after: string): { from: number; to: number; insert: string } {
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from++;
  let tail = 0;
  while (tail < before.length - from && tail < after.length - from && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}
