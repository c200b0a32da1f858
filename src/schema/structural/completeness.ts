import { type FieldError, required } from '../../meta/index.ts';
import type { SchemaNode } from './schema-node.ts';

type Errors = readonly FieldError[];

/** Whatever is asked of a member or an item has to be declared outside of combinations too. Cf. upstream schema/complete.go. */
export function completenessErrors(node: SchemaNode, path: string): Errors {
  return ofCombinations(node, node, path, path);
}

function ofCombinations(asking: SchemaNode, declared: SchemaNode, declaredAt: string, askedAt: string): Errors {
  const list = (name: 'allOf' | 'anyOf' | 'oneOf'): Errors =>
    asking[name].flatMap((one, at) => ofNested(one, declared, declaredAt, `${askedAt}.${name}[${at}]`));
  return [
    ...(asking.not ? ofNested(asking.not, declared, declaredAt, `${askedAt}.not`) : []),
    ...list('allOf'),
    ...list('anyOf'),
    ...list('oneOf'),
  ];
}

function ofNested(asking: SchemaNode, declared: SchemaNode | undefined, declaredAt: string, askedAt: string): Errors {
  if (!declared) return [required(declaredAt, `because it is defined in ${askedAt}`)];
  return [
    ...ofCombinations(asking, declared, declaredAt, askedAt),
    ...(asking.items ? ofNested(asking.items, declared.items, `${declaredAt}.items`, `${askedAt}.items`) : []),
    ...[...asking.properties].flatMap(([name, one]) =>
      ofNested(one, declared.properties.get(name), `${declaredAt}.properties[${name}]`, `${askedAt}.properties[${name}]`),
    ),
  ];
}
