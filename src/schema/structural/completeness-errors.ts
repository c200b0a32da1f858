import { type FieldError, required } from '../../meta/index.ts';
import type { SchemaNode } from './schema-node.ts';

type Errors = readonly FieldError[];

/** Members and items in combinations must also be declared outside of them. Cf. upstream schema/complete.go. */
export function completenessErrors(node: SchemaNode, path: string): Errors {
  return combinationErrors(node, node, path, path);
}

function combinationErrors(nested: SchemaNode, declared: SchemaNode, declaredAt: string, nestedAt: string): Errors {
  const list = (name: 'allOf' | 'anyOf' | 'oneOf'): Errors =>
    nested[name].flatMap((one, at) => nestedErrors(one, declared, declaredAt, `${nestedAt}.${name}[${at}]`));
  return [
    ...(nested.not ? nestedErrors(nested.not, declared, declaredAt, `${nestedAt}.not`) : []),
    ...list('allOf'),
    ...list('anyOf'),
    ...list('oneOf'),
  ];
}

function nestedErrors(nested: SchemaNode, declared: SchemaNode | undefined, declaredAt: string, nestedAt: string): Errors {
  if (!declared) return [required(declaredAt, `because it is defined in ${nestedAt}`)];
  return [
    ...combinationErrors(nested, declared, declaredAt, nestedAt),
    ...(nested.items ? nestedErrors(nested.items, declared.items, `${declaredAt}.items`, `${nestedAt}.items`) : []),
    ...[...nested.properties].flatMap(([name, one]) =>
      nestedErrors(one, declared.properties.get(name), `${declaredAt}.properties[${name}]`, `${nestedAt}.properties[${name}]`),
    ),
  ];
}
