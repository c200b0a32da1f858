import {
  formatHumanDuration,
  formatJsonPathValue,
  isJsonObject,
  JsonPath,
  JsonPathBudget,
  JsonPathError,
  parseTime,
  TimeError,
} from '../../meta/index.ts';
import type { PrinterColumn } from '../../schema/index.ts';
import { type Cell, type CellContext, type Column, name } from './column.ts';

/** Maximum number of values that all columns of one object may visit. Upstream has no limit and could run for hours. */
const maxValues = 200_000;

/** The additionalPrinterColumns of a definition, after the name. Cf. upstream tableconvertor; after an invalid path only the name is left. */
export function printerColumns(given: readonly PrinterColumn[]): readonly Column[] {
  const columns: Column[] = [name];
  const paths = pathsOf(given);
  const bounds = new WeakMap<object, JsonPathBudget>();
  const boundOf = (object: object): JsonPathBudget => {
    const bound = bounds.get(object) ?? new JsonPathBudget(maxValues);
    bounds.set(object, bound);
    return bound;
  };
  for (const [index, one] of given.entries()) {
    const path = paths[index];
    if (!path) return columns;
    const { type, format, priority } = one;
    const description = one.description || `Custom resource definition column (in JSONPath format): ${one.jsonPath}`;
    columns.push({
      name: one.name,
      type,
      format,
      description,
      priority,
      cell: (object, context) => cellOf(firstResult(path, object, boundOf), type, context),
    });
  }
  return columns;
}

/** The parsed paths of a definition's columns: a list is printed in several tables, a watch in one for each event. */
const parsedPaths = new WeakMap<readonly PrinterColumn[], readonly (JsonPath | undefined)[]>();

function pathsOf(columns: readonly PrinterColumn[]): readonly (JsonPath | undefined)[] {
  const known = parsedPaths.get(columns);
  if (known) return known;
  const paths = columns.map(({ jsonPath }) => readPath(jsonPath));
  parsedPaths.set(columns, paths);
  return paths;
}

/** Maximum length of a path, in characters: longer ones count as invalid. Upstream has no limit. */
const maxPathLength = 100_000;

function readPath(path: string): JsonPath | undefined {
  if (path.length > maxPathLength) return undefined;
  try {
    return new JsonPath(`{${path}}`);
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

function cellOf(value: unknown, type: string, context: CellContext): Cell {
  // Go's format of nil.
  if (value === null && type === 'string') return '<no value>';
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'string':
      return formatJsonPathValue(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : typeof value === 'bigint' ? value : null;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageSince(value, context.nowMs) : null;
    default:
      return null;
  }
}

function firstResult(path: JsonPath, object: unknown, boundOf: (object: object) => JsonPathBudget): unknown {
  if (!isJsonObject(object)) return undefined;
  try {
    return path.firstResults(object, boundOf(object))[0];
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

/** Go's zero time, in milliseconds. */
const zeroTime = Date.parse('0001-01-01T00:00:00Z');

function ageSince(time: string, nowMs: number): string {
  if (time === '' || time === 'null') return '<unknown>';
  try {
    const ms = parseTime(time);
    return ms === zeroTime ? '<unknown>' : formatHumanDuration(nowMs - ms);
  } catch (error) {
    if (error instanceof TimeError) return '<invalid>';
    throw error;
  }
}
