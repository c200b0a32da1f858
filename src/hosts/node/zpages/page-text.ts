import type { Random } from '../../../env/index.ts';

/** Upstream chooses one by chance, so that no program depends on the format. */
const delimiters = [':', ': ', '=', ' '] as const;

export function pickDelimiter(random: Random): string {
  return delimiters[random.integer(delimiters.length)] ?? ':';
}

export function pageHeader(title: string): string {
  return `\napiserver ${title}\nWarning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.\n`;
}
