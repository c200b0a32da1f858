import sentences from './data/descriptions.json';

/** Descriptions by type and field; `*` has fields with the same meaning in every type. The empty field name is the type itself. */
const descriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = sentences;

/** Describes a type (`core/v1.Pod`) or one of its fields in one sentence; undefined when there is no description. */
export function describeType(type: string, field = ''): string | undefined {
  return ownValue(ownValue(descriptions, type), field) ?? (field === '' ? undefined : ownValue(ownValue(descriptions, '*'), field));
}

function ownValue<T>(from: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return from && Object.hasOwn(from, name) ? from[name] : undefined;
}
