/** What differs between two runs of the same example, and what replaces it. */
const replacements: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>'],
  // Times as `describe` prints them.
  [/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}\b/g, '<time>'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?Z?/g, '<time>'],
  // Ages and durations as columns print them: 5s, 3m20s, 2d4h.
  [/(?<=^|[\s(])(?:\d{1,6}[ydhms]){1,3}(?=$|[\s)])/gm, '<age>'],
  [/(?<=(?:resourceVersion"?|Resource Version):\s{1,8})"?\d+"?/g, '<version>'],
  // The random parts of generated names (cf. k8s.io/apimachinery/pkg/util/rand), and hashes of pod templates.
  [/-(?:[bcdfghjklmnpqrstvwxz2456789]{6,10}-)?[bcdfghjklmnpqrstvwxz2456789]{5}(?![\w-])/g, '-<id>'],
  [/-[bcdfghjklmnpqrstvwxz2456789]{8,10}(?![\w-])/g, '-<id>'],
];

/** The output without uids, times, ages, resource versions, random parts of names, and the widths of columns, which follow from them. */
export function normalizeOutput(output: string): string {
  const replaced = replacements.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), output);
  return replaced
    .split('\n')
    .map((line) => {
      const bare = line.trimStart();
      return (line.slice(0, line.length - bare.length) + bare.split(/\s{2,}/).join('  ')).trimEnd();
    })
    .join('\n')
    .trim();
}

/** Whether an output is the documented one. A documented line `...` stands for any number of lines. */
export function isSameOutput(documented: string, actual: string): boolean {
  const [first = '', ...others] = `\n${normalizeOutput(documented)}\n`.split(/\n\.\.\.(?=\n)/);
  const text = `\n${normalizeOutput(actual)}\n`;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at - 1);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at - 1 && text.endsWith(last);
}
