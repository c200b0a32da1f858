/** Regular expressions of RE2's syntax, matched in linear time: all patterns of users go through here. */
export { PatternError } from './parse.ts';
export { compilePattern, type Match, type Pattern } from './pattern.ts';
export { MatchLimitError } from './program.ts';
