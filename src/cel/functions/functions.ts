import type { Result } from '../values/value.ts';

/**
 * Implementations by name, called with arguments that fit one of the overloads. They return undefined when the result depends on
 * the overload alone.
 */
export type Functions = Readonly<Record<string, (...args: never[]) => Result | undefined>>;
