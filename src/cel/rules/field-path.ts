import { type SchemaNode, valueSchema } from '../schema/node.ts';

/** One step of a path through a schema, as in `.spec['a.b']`. */
interface Step {
  readonly name: string;
  /** A property; else the key of a map. */
  readonly named: boolean;
}

/** The steps of a rule's fieldPath; undefined for an invalid path. */
function stepsOf(path: string, schema: SchemaNode): readonly Step[] | undefined {
  const steps: Step[] = [];
  let at: SchemaNode | undefined = schema;
  let rest = path;
  while (rest !== '') {
    const match: RegExpExecArray | null = /^(?:\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\])/s.exec(rest);
    if (!match || !at) return undefined;
    const name = match[1] ?? unquote(match[2] ?? '');
    if (name === undefined || (match[1]?.startsWith("'") ?? false)) return undefined;
    const named: boolean = at.properties !== undefined;
    if (!named && at.additionalProperties === undefined) return undefined;
    at = named ? ownProperty(at, name) : (valueSchema(at) ?? {});
    if (!at) return undefined;
    steps.push({ name, named });
    rest = rest.slice(match[0].length);
  }
  return steps;
}

function ownProperty({ properties = {} }: SchemaNode, name: string): SchemaNode | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

function unquote(text: string): string | undefined {
  let known = true;
  const plain = text.replace(/\\(.)/gs, (_, char: string) => {
    known &&= char in escapes;
    return escapes[char] ?? '';
  });
  return known ? plain : undefined;
}

/** The path in error messages: dots before properties, brackets around keys; empty for an invalid path. */
export function normalizedFieldPath(path: string, schema: SchemaNode): string {
  return (stepsOf(path, schema) ?? []).map(({ name, named }, i) => (named ? `${i > 0 ? '.' : ''}${name}` : `[${name}]`)).join('');
}
