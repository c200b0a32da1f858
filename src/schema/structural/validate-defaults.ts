import { type FieldError, invalid, isJsonObject, type Json, sameJson } from '../../meta/index.ts';
import { type MetadataRules, validateEmbeddedObjects } from './embedded-objects.ts';
import { metaMembers, pruneValue } from './prune.ts';
import type { SchemaNode } from './schema-node.ts';
import { validateValue } from './validate-value.ts';

type Errors = readonly FieldError[];

/** Defaults must be valid for their own schema. Cf. upstream defaulting.ValidateDefaults. */
export function validateDefaults(root: SchemaNode, path: string, metadata: MetadataRules): Errors {
  return validateNodeDefaults({ ...root, embedded: true, contains: { ...root.contains, embedded: true } }, path, metadata, false);
}

/** `inMeta`: inside of type or object metadata, which no schema declares in full. */
function validateNodeDefaults(node: SchemaNode, path: string, metadata: MetadataRules, inMeta: boolean): Errors {
  if (!node.contains.defaults) return [];
  const inside = inMeta && !node.embedded;
  return [
    ...(node.default === undefined ? [] : validateDefault(node, node.default, `${path}.default`, metadata, inside)),
    // Defaults of undeclared members are rejected elsewhere.
    ...(node.items ? validateNodeDefaults(node.items, `${path}.items`, metadata, inside) : []),
    ...[...node.properties].flatMap(([name, one]) =>
      validateNodeDefaults(one, `${path}.properties[${name}]`, metadata, inside || (node.embedded && metaMembers.has(name))),
    ),
  ];
}

function validateDefault(node: SchemaNode, value: Json, path: string, metadata: MetadataRules, inMeta: boolean): Errors {
  if (inMeta) return validateValue(value, node, path);
  const unknown = sameJson(pruneValue(value, node), value) ? [] : [invalid(path, value, 'must not have unknown fields')];
  const wrongObjects = isJsonObject(value) || Array.isArray(value) ? validateEmbeddedObjects(value, node, path, metadata) : [];
  return [...unknown, ...(wrongObjects.length > 0 ? wrongObjects : validateValue(value, node, path))];
}
