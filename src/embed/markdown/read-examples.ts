import { editDistance } from '../../kubectl/index.ts';
import { attributeNames, type ExampleSettings, exampleLanguage, parseSettings, SettingsError } from '../settings.ts';
import { isExample, isOutput } from './block-kind.ts';
import { type InfoString, parseInfoString } from './info-string.ts';
import { type Fence, readFences } from './read-fences.ts';

/** An example of a document. */
export interface DocumentExample {
  /** Number of the line with the info string, from 1. */
  readonly line: number;
  readonly code: string;
  /** The settings, or why they are invalid. */
  readonly settings: ExampleSettings | SettingsError;
  /** The block with the documented output. */
  readonly output: Fence | undefined;
}

/** Which blocks are examples: those with the word `tabplane`, or all in a language of examples. */
export type ExampleSelection = 'marked' | 'all';

export function readExamples(source: string, selection: ExampleSelection): readonly DocumentExample[] {
  const blocks = readFences(source).map((fence) => ({ fence, info: parseInfoString(fence.info) }));
  return blocks.flatMap(({ fence, info }, index) => {
    const isSelected = isExample(info) || (selection === 'all' && exampleLanguage(info.language) !== undefined);
    if (!isSelected || isOutput(info)) return [];
    const next = blocks[index + 1];
    const output = next && isOutput(next.info) ? next.fence : undefined;
    return [{ line: fence.line, code: fence.text, settings: settingsOf(info, selection), output }];
  });
}

function settingsOf(info: InfoString, selection: ExampleSelection): ExampleSettings | SettingsError {
  try {
    if (selection === 'marked') rejectUnknownAttributes(info);
    // In the documents of MkDocs, attributes are those of the rendered block.
    return parseSettings(info.language, (name) => info.values.get(name) ?? info.values.get(`data-${name}`) ?? null);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
}

/** Attributes of generators, such as `title="pod.yaml"` or `{1,3}`, are accepted; misspelled own ones are not. */
function rejectUnknownAttributes({ values, flags }: InfoString): void {
  for (const name of [...values.keys(), ...flags]) {
    const similar = attributeNames.find((known) => editDistance(name, known) === 1);
    if (similar !== undefined && !attributeNames.includes(name)) throw new SettingsError(`unknown attribute "${name}"; is it ${similar}?`);
  }
}
