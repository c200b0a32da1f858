import { autocompletion, type Completion, type CompletionContext, type CompletionResult, snippet } from '@codemirror/autocomplete';
import { yamlLanguage } from '@codemirror/lang-yaml';
import { setDiagnostics } from '@codemirror/lint';
import type { EditorState, Extension, Range, Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { highlightTree } from '@lezer/highlight';
import { msg, str } from '@lit/localize';
import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import { getOrAdd } from '../../meta/index.ts';
import { frontMatterKeys } from '../../tutorials/blocks/index.ts';
import type { ParsedLesson } from '../../tutorials/format/index.ts';
import { CodeEditor, completionOptions } from '../explore/editor/code-editor.ts';
import { highlightStyle } from '../explore/editor/theme.ts';
import { type LessonPart, partAt, readLessonParts } from './lesson-parts.ts';

/** The editor of lessons, Markdown with YAML in its blocks. Marks the lines of the problems that the parser found. */
export class LessonEditor extends CodeEditor {
  static override properties: PropertyDeclarations = { problems: { attribute: false } };
  declare problems: ParsedLesson['problems'];

  constructor() {
    super();
    this.problems = [];
  }

  override render(): TemplateResult {
    const problems = this.problems.map(({ line, message }) => html`<p>${msg(str`Line ${line}: ${message}`)}</p>`);
    return html`${super.render()}<div id="problems" hidden>${problems}</div>`;
  }

  override updated(changed: Map<string, unknown>): void {
    super.updated(changed);
    const { view } = this;
    if (view === undefined || !changed.has('problems')) return;
    const { doc } = view.state;
    const marks = this.problems.map(({ line, message }) => {
      const { from, to } = doc.line(Math.min(line, doc.lines));
      return { from, to, message, severity: 'error' as const };
    });
    view.dispatch(setDiagnostics(view.state, marks));
  }

  protected override languageSupport(): Extension {
    const attributes = (): Record<string, string> =>
      this.problems.length === 0 ? {} : { 'aria-invalid': 'true', 'aria-describedby': 'problems' };
    return [
      EditorView.lineWrapping,
      EditorView.contentAttributes.of(attributes),
      lessonHighlighting,
      autocompletion({ ...completionOptions, override: [completeBlock] }),
    ];
  }
}

const fenceLine = Decoration.line({ class: 'cm-fence' });
const codeLine = Decoration.line({ class: 'cm-code' });
const lineMarks = {
  heading: Decoration.line({ class: 'cm-heading' }),
  opening: fenceLine,
  values: codeLine,
  code: codeLine,
  closing: fenceLine,
} as const;

const lessonHighlighting = [
  EditorView.decorations.compute(['doc'], decorate),
  EditorView.theme({
    '.cm-heading': { fontWeight: '650' },
    '.cm-fence': { color: 'var(--muted)' },
    '.cm-fence, .cm-code': { backgroundColor: 'color-mix(in srgb, var(--sunken) 60%, transparent)' },
  }),
];

/** The parts of the current document: highlighting and every completion read them. */
const partsByDocument = new WeakMap<Text, readonly LessonPart[]>();

function partsOf(doc: Text): readonly LessonPart[] {
  return getOrAdd(partsByDocument, doc, () => readLessonParts(doc.toString()));
}

function decorate({ doc }: EditorState): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  for (const { kind, from, to, isYaml } of partsOf(doc)) {
    for (let at = doc.lineAt(from); ; at = doc.line(at.number + 1)) {
      ranges.push(lineMarks[kind].range(at.from));
      if (at.to >= to) break;
    }
    if (!isYaml) continue;
    const put = (start: number, end: number, classes: string): void =>
      void ranges.push(Decoration.mark({ class: classes }).range(from + start, from + end));
    highlightTree(yamlLanguage.parser.parse(doc.sliceString(from, to)), highlightStyle, put);
  }
  return Decoration.set(ranges, true);
}

/** Completes the keys of the front matter, and outside of blocks the beginnings of steps and blocks. */
function completeBlock({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const { from } = state.doc.lineAt(pos);
  const before = state.sliceDoc(from, pos);
  const part = partAt(partsOf(state.doc), pos);
  if (part?.kind === 'values' && /^\w*$/.test(before) && (explicit || before !== ''))
    return { from, options: [...frontMatterKeys].map((key) => ({ label: key, apply: `${key}: `, type: 'property' })), validFor: /^\w*$/ };
  // The first line of a block while it is typed, or prose.
  const isOutside = part === undefined || part.kind === 'heading' || part.kind === 'opening';
  if (!isOutside || !(/^[#`]/.test(before) || (explicit && before === ''))) return null;
  return { from, options: beginnings(), validFor: /^[#` \w]*$/ };
}

function beginnings(): Completion[] {
  const example = 'has(get("v1", "ConfigMap", "default", "greeting"))';
  const block = (first: string, lines: string): string => `${first}\n${lines}\n\`\`\`\n`;
  const of = (label: string, detail: string, text: string): Completion => ({ label, detail, apply: snippet(text), type: 'keyword' });
  return [
    of('## ', msg('a step'), '## #{title} {##{id}}\n'),
    of('```sh run', msg('a command'), block('```sh run', '#{kubectl get pods}')),
    of('```yaml file=', msg('a file in the home folder'), block('```yaml file=#{name}.yaml edit', '#{text}')),
    of(
      '```check',
      msg('what a learner must achieve'),
      block('```check', `- cel: #{${example}}\n  message: #{missing}\n  done: #{achieved}`),
    ),
    of('```hint', msg('a hint'), block('```hint', '#{text}')),
    of('```solution', msg('the commands that solve the step'), block('```solution', '#{kubectl get pods}')),
  ];
}
