/** Maximum length of a line with a whole value, in characters. */
const lineLength = 140;

/**
 * JSON with one entry a line where an object or array does not fit into one line, so that a change of the catalog is a readable diff. Little
 * white space, since the texts are part of the worker.
 */
export function formatData(value: unknown, indent = ''): string {
  const inline = JSON.stringify(value);
  if (inline.length <= lineLength || typeof value !== 'object' || value === null) return inline;
  const inner = `${indent} `;
  const lines = Array.isArray(value)
    ? value.map((item) => formatData(item, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${formatData(member, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`;
}
