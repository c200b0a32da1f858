import type { Field, PatchStrategy, Schema } from '../../schema/index.ts';
import { PatchError } from '../patch-error.ts';

/** How a field is merged: the schema of its content, and its patch strategy without `retainKeys`. */
export interface MergeRule {
  readonly schema: Schema | undefined;
  readonly strategy: Exclude<PatchStrategy, 'retainKeys'> | undefined;
  readonly retainKeys: boolean;
  /** Empty when the field has none. */
  readonly mergeKey: string;
}

/**
 * The merge rule of a field with an object value.
 * @throws PatchError when the schema has no such field (cf. apimachinery forked json LookupPatchMetadataForStruct)
 */
export function ruleOfObject(schema: Schema | undefined, name: string): MergeRule {
  const field = fieldOf(schema, name);
  return { schema: field.schema, mergeKey: field.patchMergeKey ?? '', ...strategyOf(field) };
}

/** The merge rule of a field with a list value; its schema is that of the items. */
export function ruleOfList(schema: Schema | undefined, name: string): MergeRule {
  const rule = ruleOfObject(schema, name);
  if (rule.schema?.form === 'list') return { ...rule, schema: rule.schema.items };
  // Upstream takes the target type of a pointer for the item type.
  if (fieldOf(schema, name).pointer) return rule;
  throw new PatchError('failed', `expected slice or array type, but got: ${schema?.form ?? 'struct'}`);
}

function strategyOf({ patchStrategies }: Field): Pick<MergeRule, 'strategy' | 'retainKeys'> {
  const others = patchStrategies.filter((strategy) => strategy !== 'retainKeys');
  return { strategy: others[0], retainKeys: others.length < patchStrategies.length };
}

function fieldOf(schema: Schema | undefined, name: string): Field {
  if (schema?.form === 'struct') {
    const field = schema.byName.get(name) ?? schema.fields.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (field) return field;
    throw unknownField(schema.name.slice(schema.name.lastIndexOf('.') + 1), name);
  }
  if (schema?.form === 'untyped') throw unknownField(schema.type, name);
  const kind = schema?.form === 'list' ? 'slice' : (schema?.form ?? 'interface');
  throw new PatchError('failed', `merging an object in json but data type is not struct, instead is: ${kind}`);
}

function unknownField(struct: string, name: string): PatchError {
  return new PatchError('failed', `unable to find api field in struct ${struct} for the json field ${JSON.stringify(name)}`);
}
