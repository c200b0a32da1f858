import { goNumber, isJsonObject, sortedMembers } from '../../meta/index.ts';

export { goNumber, sortedMembers };

/** A value as Go prints it with %v: `map[a:b]`, `[x y]`, `<nil>`. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return goNumber(value);
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (isJsonObject(value)) {
    return `map[${Object.keys(value)
      .sort()
      .map((key) => `${key}:${goText(value[key])}`)
      .join(' ')}]`;
  }
  return String(value);
}

/** A value as Go's `%#v` writes it. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `map[string]interface {}{${members.map(([name, member]) => `${JSON.stringify(name)}:${goSyntax(member)}`).join(', ')}}`;
}
