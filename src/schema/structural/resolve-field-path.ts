import type { SchemaNode } from './schema-node.ts';

/** The target of a simple path (`.spec.color`) in a schema. */
export interface ResolvedField {
  /** `spec.color` */
  readonly path: string;
  /** The first name of the path. */
  readonly root: string;
  /** Undefined below a map whose values have no schema. */
  readonly node: SchemaNode | undefined;
}

/**
 * Resolves a path of names, separated by dots or, if `brackets` allows it, by `['…']`. Cf. upstream cel.ValidFieldPath.
 * @throws Error with the reason when the path does not exist
 */
export function resolveFieldPath(path: string, node: SchemaNode, brackets: boolean): ResolvedField {
  const tokens = path.match(/'(?:\\.|[^'\\])*'|[.[\]]|[^.[\]]+/g) ?? [];
  let at: SchemaNode | undefined = node;
  const names: string[] = [];
  let written = '';
  const next = (): string => {
    const token = tokens.shift();
    if (token === undefined) throw new Error('unexpected end of JSON path');
    return token;
  };
  const enter = (name: string): void => {
    if (!at || (at.properties.size === 0 && at.additional === undefined)) throw new Error('does not refer to a valid field');
    const isNamed: boolean = at.properties.size > 0;
    const below: SchemaNode | boolean | undefined = isNamed ? at.properties.get(name) : at.additional;
    if (below === undefined) throw new Error('does not refer to a valid field');
    at = typeof below === 'object' ? below : undefined;
    names.push(name);
    written += isNamed ? `${written === '' ? '' : '.'}${name}` : `[${name}]`;
  };
  while (tokens.length > 0) {
    const token = next();
    if (token === '.') enter(next());
    else if (token === '[') {
      if (!brackets) throw new Error('array notation is not allowed');
      const quoted = next();
      if (!/^'.*'$/s.test(quoted)) throw new Error(`expected single quoted string but got ${quoted}`);
      enter(quoted.slice(1, -1).replace(/\\(.)/g, '$1'));
      const close = next();
      if (close !== ']') throw new Error(`expected ] but got ${close}`);
    } else throw new Error(`expected [ or . but got: ${token}`);
  }
  return { path: written, root: names[0] ?? '', node: at };
}
