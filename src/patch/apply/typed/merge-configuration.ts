import { isJsonObject, type Json, type JsonObject, type Steps } from '../../../meta/index.ts';
import type { Schema } from '../../../schema/index.ts';
import { isJsonArray, memberNames } from '../../json-value.ts';
import { PatchError } from '../../patch-error.ts';
import { mergeValues } from './merge-values.ts';
import { type Shape, Shapes } from './shape.ts';
import { TypedError } from './typed-error.ts';
import { requireListKeys, requireTyped } from './validate.ts';

const shapes = { go: new Shapes('go'), json: new Shapes('json') };

/**
 * Merges the apply configuration of a mutating policy into an object, without field ownership. Atomic values cannot be mutated: the merge
 * would drop their other members. Cf. upstream plugin/policy/mutating/patch ApplyStructuredMergeDiff.
 * @throws PatchError
 */
export function* mergeConfiguration(
  object: JsonObject,
  configuration: JsonObject,
  { schema, custom }: { readonly schema: Schema; readonly custom: boolean },
): Steps<JsonObject> {
  const shape = shapes[custom ? 'json' : 'go'].of(schema);
  yield* describing('failed to convert patch object to typed object', requireTyped(configuration, shape, 'refused', 'every problem'));
  const atomics = atomicPaths(configuration, shape, '');
  if (atomics.length > 0) {
    const text = `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`;
    throw new PatchError('failed', text);
  }
  const isValid = custom ? requireTyped(object, shape, 'allowed', 'every problem') : requireListKeys(object, shape, 'every problem');
  yield* describing('failed to convert original object to typed object', isValid);
  return (yield* describing('failed to merge patch', mergeValues(object, configuration, shape))) as JsonObject;
}

/** Adds what was done to the problems of a value. @throws PatchError */
function* describing<T>(what: string, steps: Steps<T>): Steps<T> {
  try {
    return yield* steps;
  } catch (error) {
    if (error instanceof TypedError) throw new PatchError('failed', `${what}: ${error.message}`);
    throw error;
  }
}

/** The paths of atomic lists, maps and structs in a value: `.spec.selector`, `.spec.ports[0].x`. */
function atomicPaths(value: Json, shape: Shape, path: string): readonly string[] {
  if (isJsonArray(value)) {
    if (shape.kind === 'untyped') return [path];
    if (shape.kind !== 'list') return [];
    const inner = value.flatMap((item, index) => atomicPaths(item, shape.items, `${path}[${index}]`));
    return shape.atomic ? [path, ...inner] : inner;
  }
  if (!isJsonObject(value) || shape.kind === 'scalar' || shape.kind === 'list') return [];
  const own = shape.atomic ? [path] : [];
  if (shape.kind !== 'struct') return own;
  const inner = memberNames(value).flatMap((name) => {
    const field = shape.fields.get(name);
    return field ? atomicPaths(value[name] ?? null, field.shape, `${path}.${name}`) : [];
  });
  return [...own, ...inner];
}
