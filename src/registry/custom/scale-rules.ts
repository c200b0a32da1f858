import { type ApiObject, type FieldError, formatGoValue, goType, invalid, isJsonObject, type Json } from '../../meta/index.ts';
import { parsePathNames, type ScalePaths } from '../../schema/index.ts';

const maxInt32 = 2 ** 31 - 1;

/** Validates the fields behind the paths of the scale subresource. `onlyStatus`: for a status update. */
export function scaleErrors(object: ApiObject, scale: ScalePaths | undefined, onlyStatus: boolean): readonly FieldError[] {
  if (!scale) return [];
  return [
    ...(onlyStatus ? [] : replicasErrors(object, scale.spec)),
    ...replicasErrors(object, scale.status),
    ...(scale.selector === undefined ? [] : selectorErrors(object, scale.selector)),
  ];
}

function replicasErrors(object: ApiObject, path: string): readonly FieldError[] {
  const { value, problem } = nestedField(object, path);
  if (problem !== undefined) return [invalid(path, 0, problem)];
  if (value === undefined) return [];
  if (!isInteger(value)) return [invalid(path, 0, accessorError(path, value, 'int64'))];
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')];
  return value > maxInt32 ? [invalid(path, value, `should be less than or equal to ${maxInt32}`)] : [];
}

function isInteger(value: Json): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function selectorErrors(object: ApiObject, path: string): readonly FieldError[] {
  const { value, problem } = nestedField(object, path);
  if (problem !== undefined) return [invalid(path, '', problem)];
  return value === undefined || typeof value === 'string' ? [] : [invalid(path, '', accessorError(path, value, 'string'))];
}

interface NestedField {
  /** Undefined when a member of the path is missing. */
  readonly value?: Json | undefined;
  /** The error when a member of the path is no map. */
  readonly problem?: string;
}

/** The value at a simple path. Cf. apimachinery unstructured.NestedFieldNoCopy. */
function nestedField(object: ApiObject, path: string): NestedField {
  let at: Json | undefined = object;
  let walkedPath = '';
  for (const name of parsePathNames(path)) {
    walkedPath += `.${name}`;
    if (at === undefined || at === null) return {};
    if (!isJsonObject(at)) return { problem: accessorError(walkedPath, at, 'map[string]interface{}') };
    at = Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return { value: at };
}

/** The value at a simple path, undefined for every error. */
export function valueAtPath(object: ApiObject, path: string): Json | undefined {
  return nestedField(object, path).value;
}

/** The error message of apimachinery's unstructured accessors. */
export function accessorError(path: string, value: Json, expected: string): string {
  return `${path} accessor error: ${formatGoValue(value)} is of the type ${goType(value)}, expected ${expected}`;
}
