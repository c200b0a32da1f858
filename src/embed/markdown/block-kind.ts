import { attributeNames } from '../settings.ts';
import { type InfoString, parseInfoString } from './info-string.ts';

/** The word of an info string that makes a block an example. */
const exampleFlag = 'tabplane';
/** The word, or the language, of the block after an example that has its output. */
const outputFlag = 'output';

export const isExample = ({ flags }: InfoString): boolean => flags.has(exampleFlag);
export const isOutput = ({ language, flags }: InfoString): boolean => language === outputFlag || flags.has(outputFlag);

/** The element around a fenced block: that of an example or of an output. */
export interface BlockElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The element that the plugins of generators put around a block; undefined for all other blocks. */
export function elementOf(info: string): BlockElement | undefined {
  const parsed = parseInfoString(info);
  if (isOutput(parsed)) return { name: 'div', attributes: { class: 'tabplane-output' } };
  if (!isExample(parsed)) return undefined;
  const { language, values, flags } = parsed;
  const given = attributeNames.flatMap((name) => {
    const value = values.get(name) ?? (flags.has(name) ? '' : undefined);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { name: 'tabplane-example', attributes: { language, ...Object.fromEntries(given) } };
}
