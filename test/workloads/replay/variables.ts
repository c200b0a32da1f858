import { formatTime } from '../../../src/meta/index.ts';

/** The values of `{name}` in a scenario: `ns`, `run`, and what steps saved. `{now}` is the time. */
export type Variables = Map<string, string>;

/** Fills in the variables of all texts, and returns the value. */
export function fill<T>(value: T, variables: Variables, nowMs: number): T {
  const filled = (part: unknown): unknown => {
    if (typeof part === 'string') return fillText(part, variables, nowMs);
    if (Array.isArray(part)) return part.map(filled);
    if (part === null || typeof part !== 'object') return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [fillText(name, variables, nowMs), filled(member)]));
  };
  return filled(value) as T;
}

function fillText(text: string, variables: Variables, nowMs: number): string {
  return text.replace(/\{([\w-]+)\}/g, (all, name: string) => (name === 'now' ? formatTime(nowMs) : (variables.get(name) ?? all)));
}
