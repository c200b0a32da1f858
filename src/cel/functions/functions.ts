import type { Result } from '../values/value.ts';

/**
 * How functions are done: by name, their arguments being of the types of one of their signatures. Undefined is an answer that depends on
 * the signature alone.
 */
export type Functions = Readonly<Record<string, (...args: never[]) => Result | undefined>>;
