import type { JsonObject } from '../../meta/index.ts';
import type { corev1, flowcontrolv1 } from '../../schema/api/index.ts';
import type { Decoded, DescribeColumn, Resource } from '../../schema/index.ts';
import { accessColumns } from './access-columns.ts';
import { age, type Cell, type CellContext, type Column, createdAt, name } from './column.ts';
import { coreColumns } from './core-columns.ts';
import { extraColumns, networkColumns } from './network-columns.ts';
import { printerColumns } from './printer-columns.ts';
import { storageColumns } from './storage-columns.ts';
import { systemColumns } from './system-columns.ts';
import { workloadColumns } from './workload-columns.ts';

/** The content of each row besides its cells: nothing, the object's metadata, or the object. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** The kind of the rows. */
type TableResource = Pick<Resource, 'kind' | 'custom'>;

export interface TableRequest {
  readonly resource: TableResource;
  /** The version of the Table, and of PartialObjectMetadata in its rows. */
  readonly apiVersion: string;
  /** In storage version, whatever version is requested: cells are computed from it. */
  readonly objects: readonly JsonObject[];
  /** ListMeta of the list, or `{ resourceVersion }` of a single object, in output order. */
  readonly metadata: JsonObject;
  readonly includeObject: IncludeObject;
  /** The metadata and the object to include in rows. */
  readonly metadataOf: (object: JsonObject) => JsonObject;
  readonly wholeOf: (object: JsonObject) => JsonObject;
  /** False after the first event of a watch, which contains the columns. */
  readonly headers: boolean;
  readonly describeColumn: DescribeColumn;
  readonly context: CellContext;
}

const byKind: Readonly<Record<string, readonly Column[]>> = {
  ...coreColumns,
  ...workloadColumns,
  ...networkColumns,
  ...storageColumns,
  ...accessColumns,
  ...systemColumns,
};

/** Part 2.5: kinds without columns show name and creation time; custom resources show their age instead. */
const defaultColumns: readonly Column[] = [name, createdAt];
const customColumns: readonly Column[] = [name, { ...age, type: 'date' }];

export function columnsOf({ kind, custom }: TableResource): readonly Column[] {
  if (custom) return customColumns;
  return Object.hasOwn(byKind, kind) ? (byKind[kind] ?? defaultColumns) : defaultColumns;
}

/** A Table of objects (part 2.5), with members in Go's order. */
export function tableOf(request: TableRequest): JsonObject {
  const { resource, apiVersion, metadata, headers, context } = request;
  const objects = !resource.custom && resource.kind === 'FlowSchema' ? request.objects.toSorted(byPrecedence) : request.objects;
  const columns = resource.custom?.columns ? printerColumns(resource.custom.columns) : columnsOf(resource);
  const further = resource.custom ? [] : (extraColumns[resource.kind] ?? []);
  const cellsOf = (object: JsonObject): readonly Cell[] => [...columns, ...further].map((column) => column.cell(object, context));
  const rows = objects.map((object) => ({
    cells: cellsOf(object),
    ...rowConditions(resource, object),
    object: objectOf(object, request),
  }));
  return {
    kind: 'Table',
    apiVersion,
    metadata,
    columnDefinitions: headers ? columns.map((column) => definitionOf(column, request)) : null,
    // Cf. upstream defaultTableConvertor, which starts without a list.
    rows: rows.length === 0 && columns === defaultColumns ? null : rows,
  };
}

/** Flow schemas are sorted by precedence. Cf. upstream printFlowSchemaList. */
function byPrecedence(a: Decoded<flowcontrolv1.FlowSchema>, b: Decoded<flowcontrolv1.FlowSchema>): number {
  const difference = (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0);
  return difference || ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1);
}

function definitionOf({ name, type, format, description, priority }: Column, { resource, describeColumn }: TableRequest): JsonObject {
  return { name, type, format, description: description ?? describeColumn(resource.custom ? '' : resource.kind, name), priority };
}

function objectOf(object: JsonObject, { includeObject, metadataOf, wholeOf, apiVersion }: TableRequest): JsonObject | null {
  switch (includeObject) {
    case 'None':
      return null;
    case 'Metadata':
      return { kind: 'PartialObjectMetadata', apiVersion, metadata: metadataOf(object) };
    case 'Object':
      return wholeOf(object);
  }
}

/** Marks rows of completed pods, so that clients can show them differently. */
function rowConditions({ kind, custom }: TableResource, object: JsonObject): JsonObject {
  if (kind !== 'Pod' || custom) return {};
  switch (podPhase(object)) {
    case 'Succeeded':
      return { conditions: [completedCondition('Succeeded', 'The pod has completed successfully.')] };
    case 'Failed':
      return { conditions: [completedCondition('Failed', 'The pod failed.')] };
    default:
      return {};
  }
}

function podPhase({ status }: Decoded<corev1.Pod>): string | undefined {
  return status?.phase;
}

function completedCondition(reason: string, message: string): JsonObject {
  return { type: 'Completed', status: 'True', reason, message };
}

/** Parses the query parameter `includeObject`; undefined for invalid values. */
export function parseIncludeObject(value: string): IncludeObject | undefined {
  switch (value) {
    case '':
    case 'Metadata':
      return 'Metadata';
    case 'None':
    case 'Object':
      return value;
    default:
      return undefined;
  }
}
