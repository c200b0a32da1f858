import { type FieldError, required } from '../../meta/index.ts';
import type { SchemaNode } from './schema-node.ts';

type Errors = readonly FieldError[];

/** Members and items in combinations must also be declared outside of them. Cf. upstream schema/complete.go. */
export function validateCompleteness(node: SchemaNode, path: string): Errors {
  return validateCombinations(node, node, path, path);
}

function validateCombinations(nested: SchemaNode, declared: SchemaNode, declaredAt: string, nestedAt: string): Errors {
  const list = (name: 'allOf' | 'anyOf' | 'oneOf'): Errors =>
    nested[name].flatMap((one, at) => validateNested(one, declared, declaredAt, `${nestedAt}.${name}[${at}]`));
  return [
    ...(nested.not ? validateNested(nested.not, declared, declaredAt, `${nestedAt}.not`) : []),
    ...list('allOf'),
    ...list('anyOf'),
    ...list('oneOf'),
  ];
}

function validateNested(nested: SchemaNode, declared: SchemaNode | undefined, declaredAt: string, nestedAt: string): Errors {
  if (!declared) return [required(declaredAt, `because it is defined in ${nestedAt}`)];
  return [
    ...validateCombinations(nested, declared, declaredAt, nestedAt),
    ...(nested.items ? validateNested(nested.items, declared.items, `${declaredAt}.items`, `${nestedAt}.items`) : []),
    ...[...nested.properties].flatMap(([name, one]) =>
      validateNested(one, declared.properties.get(name), `${declaredAt}.properties[${name}]`, `${nestedAt}.properties[${name}]`),
    ),
  ];
}
