import type { Json } from '../meta/index.ts';
import { Composer, type YamlWords } from './yaml/composer.ts';
import { YamlSyntaxError } from './yaml/cursor.ts';

export { YamlSyntaxError } from './yaml/cursor.ts';

export interface ParsedYaml {
  readonly value: Json;
  /** `line 4: key "c" already set in map`, in document order. */
  readonly duplicates: readonly string[];
}

/** Characters that are not allowed anywhere. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0080-\u0084\u0086-\u009f\ufffe\uffff]|\p{Surrogate}/u;

/**
 * Parses the first document of a YAML text to JSON like upstream, with its error messages: YAML 1.1 words (`yes`, `n`, `off`) are
 * booleans unless `words` makes them strings, numbers may be octal or hexadecimal, timestamps stay strings, keys become strings. Duplicate keys are reported, the last
 * one wins. Implemented here, since no package has go-yaml's mixture of 1.1 and 1.2, its depth or its messages.
 *
 * @throws YamlSyntaxError; JsonSyntaxError when the JSON would be nested too deeply
 */
export function parseYaml(text: string, words?: YamlWords): ParsedYaml {
  const composer = composerOf(text, words);
  for (;;) {
    const composed = composer.read(Number.POSITIVE_INFINITY);
    if (composed) return composed;
  }
}

/** Number of nodes between pauses: about 20 ms. */
const nodesPerPause = 20_000;

/**
 * `parseYaml` for request bodies: awaits `pause` regularly, so that a large text does not block the event loop.
 * @throws YamlSyntaxError; JsonSyntaxError when the JSON would be nested too deeply
 */
export async function parseYamlAsync(text: string, pause: () => Promise<void> | undefined): Promise<ParsedYaml> {
  const composer = composerOf(text);
  for (;;) {
    const composed = composer.read(nodesPerPause);
    if (composed) return composed;
    await pause();
  }
}

function composerOf(text: string, words?: YamlWords): Composer {
  if (controlCharacter.test(text)) throw new YamlSyntaxError('yaml: control characters are not allowed');
  return new Composer(text, words);
}
