import type { Json } from '../meta/index.ts';
import { Composer } from './yaml/composer.ts';
import { YamlSyntaxError } from './yaml/cursor.ts';

export { YamlSyntaxError } from './yaml/cursor.ts';

export interface ParsedYaml {
  readonly value: Json;
  /** `line 4: key "c" already set in map`, in document order. */
  readonly duplicates: readonly string[];
}

/** What may not stand in a text at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0080-\u0084\u0086-\u009f\ufffe\uffff]|\p{Surrogate}/u;

/**
 * Reads the first document of a YAML text into JSON as the real server does, and refuses it in the same words: YAML 1.1 words (`yes`,
 * `n`, `off` are booleans), octal and hexadecimal numbers, times stay texts, keys become texts. Duplicate keys are told, the last one
 * stays. A reader of its own, since no package has go-yaml's mixture of 1.1 and 1.2, its depth or its messages.
 *
 * @throws YamlSyntaxError; JsonSyntaxError for what is too deep for the JSON that it becomes
 */
export function parseYaml(text: string): ParsedYaml {
  const composer = composerOf(text);
  for (;;) {
    const composed = composer.read(Number.POSITIVE_INFINITY);
    if (composed) return composed;
  }
}

/** How many nodes are read before others may get their turn: some 20 ms. */
const nodesInTurn = 20_000;

/**
 * `parseYaml` for bodies of requests: awaits `pause` every now and then, so that a large text does not block the event loop.
 * @throws YamlSyntaxError; JsonSyntaxError for what is too deep for the JSON that it becomes
 */
export async function parseYamlInTurns(text: string, pause: () => Promise<void> | undefined): Promise<ParsedYaml> {
  const composer = composerOf(text);
  for (;;) {
    const composed = composer.read(nodesInTurn);
    if (composed) return composed;
    await pause();
  }
}

function composerOf(text: string): Composer {
  if (controlCharacter.test(text)) throw new YamlSyntaxError('yaml: control characters are not allowed');
  return new Composer(text);
}
