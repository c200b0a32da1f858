import {
  type ApiObject,
  badRequest,
  type FieldRequirements,
  isJsonObject,
  type Json,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
  requiredValue,
  SelectorError,
} from '../meta/index.ts';
import type { Resource } from '../schema/index.ts';

/** Which objects of a collection are meant. */
export interface Selection {
  /** Undefined selects everything. */
  readonly selects: ((object: ApiObject) => boolean) | undefined;
  /** The one name that can match, when the selector says so. */
  readonly name: string | undefined;
}

/** Selectors of a list, watch or deletion. @throws StatusError 400 */
export function readSelection(labelSelector: string, fieldSelector: string, resource: Resource): Selection {
  try {
    const labels = parseLabelSelector(labelSelector);
    const fields = parseFieldSelector(fieldSelector);
    for (const { field } of fields) checkField(field, resource);
    if (labels.length === 0 && fields.length === 0) return { selects: undefined, name: undefined };
    const selects = (object: ApiObject): boolean =>
      matchesLabels(labels, object.metadata.labels ?? {}) &&
      (fields.length === 0 || matchesFields(fields, (field) => fieldValue(object, field)));
    return { selects, name: onlyName(fields) };
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message, error);
    throw error;
  }
}

function onlyName(fields: FieldRequirements): string | undefined {
  return requiredValue(fields, 'metadata.name');
}

function checkField(field: string, { fieldSelectors, namespaceSelector }: Resource): void {
  if (field === 'metadata.name' || (field === 'metadata.namespace' && namespaceSelector) || fieldSelectors.includes(field)) return;
  // Kinds with selectable fields of their own answer in other words than the rest.
  if (fieldSelectors.length > 0) throw badRequest(`field label not supported: ${field}`);
  throw badRequest(`${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

/** Labels of a field selector that are no paths, or whose absence means something. */
const readings: Readonly<Record<string, { readonly path: string; readonly absent?: string }>> = {
  'spec.host': { path: 'spec.nodeName' },
  source: { path: 'source.component' },
  'spec.hostNetwork': { path: 'spec.hostNetwork', absent: 'false' },
  'spec.unschedulable': { path: 'spec.unschedulable', absent: 'false' },
  'status.replicas': { path: 'status.replicas', absent: '0' },
  'status.successful': { path: 'status.succeeded', absent: '0' },
};

function fieldValue(object: ApiObject, field: string): string {
  // Events are kept in core's names.
  const stored =
    object.kind === 'Event' ? field.replace(/^regarding\./, 'involvedObject.').replace('reportingController', 'reportingComponent') : field;
  const { path, absent = '' } = readings[stored] ?? { path: stored };
  // An event of the newer form has its source in other places.
  if (field === 'source' && object.kind === 'Event') return textAt(object, path) ?? textAt(object, 'reportingComponent') ?? absent;
  return textAt(object, path) ?? absent;
}

function textAt(object: ApiObject, path: string): string | undefined {
  let at: Json | undefined = object;
  for (const name of path.split('.')) {
    if (!isJsonObject(at)) return undefined;
    at = at[name];
  }
  if (at === undefined || at === null || typeof at === 'object') return undefined;
  return String(at);
}
