import sentences from './data/descriptions.json';

/** Sentences by type and field; `*` holds those of fields that mean the same in every type. The empty name is the type itself. */
const descriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = sentences;

/** What a type (`core/v1.Pod`) or one of its fields is for, in a sentence of our own; undefined when there is none. */
export function describe(type: string, field = ''): string | undefined {
  return own(own(descriptions, type), field) ?? (field === '' ? undefined : own(own(descriptions, '*'), field));
}

function own<T>(from: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return from && Object.hasOwn(from, name) ? from[name] : undefined;
}
