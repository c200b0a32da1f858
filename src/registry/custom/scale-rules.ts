import { type ApiObject, type FieldError, invalid, isJsonObject, type Json } from '../../meta/index.ts';
import { pathNames, type ScalePaths } from '../../schema/index.ts';

const maxInt32 = 2 ** 31 - 1;

/** What a scale shows has to be there in the right form. `onlyStatus`: for a write to the status. */
export function scaleErrors(object: ApiObject, scale: ScalePaths | undefined, onlyStatus: boolean): readonly FieldError[] {
  if (!scale) return [];
  return [
    ...(onlyStatus ? [] : replicasErrors(object, scale.spec)),
    ...replicasErrors(object, scale.status),
    ...(scale.selector === undefined ? [] : selectorErrors(object, scale.selector)),
  ];
}

function replicasErrors(object: ApiObject, path: string): readonly FieldError[] {
  const value = valueAtPath(object, path);
  if (value === undefined) return [];
  if (typeof value !== 'number' && typeof value !== 'bigint') return [invalid(path, 0, accessorError(path, value, 'int64'))];
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')];
  return value > maxInt32 ? [invalid(path, value, `should be less than or equal to ${maxInt32}`)] : [];
}

function selectorErrors(object: ApiObject, path: string): readonly FieldError[] {
  const value = valueAtPath(object, path);
  return value === undefined || typeof value === 'string' ? [] : [invalid(path, '', accessorError(path, value, 'string'))];
}

/** The value behind a simple path; undefined when something on the way is missing. */
export function valueAtPath(object: ApiObject, path: string): Json | undefined {
  let at: Json | undefined = object;
  for (const name of pathNames(path)) at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}

/** As apimachinery's unstructured readers say it. */
export function accessorError(path: string, value: Json, expected: string): string {
  const type = typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'bool' : typeof value === 'number' ? 'float64' : '';
  const go = Array.isArray(value) ? '[]interface {}' : isJsonObject(value) ? 'map[string]interface {}' : type === '' ? '<nil>' : type;
  const shown = value === null ? '<nil>' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `${path} accessor error: ${shown} is of the type ${go}, expected ${expected}`;
}
