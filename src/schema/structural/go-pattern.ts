import { compilePattern, PatternError } from '../../meta/index.ts';

/** A pattern in Go's language (RE2) as the platform's expression; undefined for what is none. */
export function goPattern(pattern: string): RegExp | undefined {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}
