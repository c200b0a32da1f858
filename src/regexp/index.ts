/** Regular expressions in RE2 syntax, matched in linear time. All user-supplied patterns use this module. */
export { PatternError } from './parse.ts';
export { compilePattern, type Pattern } from './pattern.ts';
export { MatchLimitError } from './program.ts';
