import { frontMatterPattern, splitDocument } from '../../tutorials/blocks/index.ts';

/** A part of a lesson's text that the editor highlights; other text is prose. */
export interface LessonPart {
  /** A heading, the values of the front matter, or a block of code with the lines around it. */
  readonly kind: 'heading' | 'values' | 'opening' | 'code' | 'closing';
  readonly from: number;
  readonly to: number;
  readonly isYaml: boolean;
}

/** The languages whose blocks are YAML. */
const yamlLanguages = /^(?:yaml|check)\b/;

/** The parts in order, without empty ones. */
export function readLessonParts(source: string): readonly LessonPart[] {
  const parts: LessonPart[] = [];
  const add = (kind: LessonPart['kind'], from: number, to: number, isYaml = false): void => {
    if (to > from) parts.push({ kind, from, to, isYaml });
  };
  const starts = lineStarts(source);
  const startOf = (line: number): number => starts[line - 1] ?? source.length;
  const endOf = (line: number): number => (line < starts.length ? startOf(line + 1) - 1 : source.length);
  const [front = '', values = ''] = frontMatterPattern.exec(source) ?? [];
  const bodyLine = front.split('\n').length;
  if (front !== '') {
    add('opening', startOf(1), endOf(1));
    add('values', startOf(2), startOf(2) + values.length, true);
    add('closing', startOf(bodyLine - 1), endOf(bodyLine - 1));
  }
  for (const block of splitDocument(source.slice(front.length), bodyLine)) {
    const { kind, line } = block;
    if (kind === 'heading') add('heading', startOf(line), endOf(line));
    if (kind !== 'fence') continue;
    const last = line + block.text.split('\n').length - 1;
    add('opening', startOf(line), endOf(line));
    add('code', startOf(line + 1), endOf(last), yamlLanguages.test(block.info));
    if (last < starts.length) add('closing', startOf(last + 1), endOf(last + 1));
  }
  return parts;
}

export function partAt(parts: readonly LessonPart[], position: number): LessonPart | undefined {
  return parts.find(({ from, to }) => from <= position && position <= to);
}

function lineStarts(source: string): readonly number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
