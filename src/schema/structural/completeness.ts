import { type FieldError, required } from '../../meta/index.ts';
import type { SchemaNode } from './schema-node.ts';

type Errors = readonly FieldError[];

/** Members and items in combinations must also be declared outside of them. Cf. upstream schema/complete.go. */
export function completenessErrors(node: SchemaNode, path: string): Errors {
  return ofCombinations(node, node, path, path);
}

function ofCombinations(nested: SchemaNode, declared: SchemaNode, declaredAt: string, nestedAt: string): Errors {
  const list = (name: 'allOf' | 'anyOf' | 'oneOf'): Errors =>
    nested[name].flatMap((one, at) => ofNested(one, declared, declaredAt, `${nestedAt}.${name}[${at}]`));
  return [
    ...(nested.not ? ofNested(nested.not, declared, declaredAt, `${nestedAt}.not`) : []),
    ...list('allOf'),
    ...list('anyOf'),
    ...list('oneOf'),
  ];
}

function ofNested(nested: SchemaNode, declared: SchemaNode | undefined, declaredAt: string, nestedAt: string): Errors {
  if (!declared) return [required(declaredAt, `because it is defined in ${nestedAt}`)];
  return [
    ...ofCombinations(nested, declared, declaredAt, nestedAt),
    ...(nested.items ? ofNested(nested.items, declared.items, `${declaredAt}.items`, `${nestedAt}.items`) : []),
    ...[...nested.properties].flatMap(([name, one]) =>
      ofNested(one, declared.properties.get(name), `${declaredAt}.properties[${name}]`, `${nestedAt}.properties[${name}]`),
    ),
  ];
}
