import {
  type ApiObject,
  badRequest,
  type FieldRequirements,
  isDns1123Label,
  isJsonObject,
  type Json,
  type LabelRequirements,
  matchesFields,
  matchesLabels,
  ownMember,
  requiredValue,
} from '../../meta/index.ts';
import type { StoredObject } from '../../registry/index.ts';
import type { Resource } from '../../schema/index.ts';
import type { RequestContext } from '../request-context.ts';

/** The objects of a collection that a request selects. */
export interface Selection {
  /** Undefined selects everything. */
  readonly selects: ((stored: StoredObject) => boolean) | undefined;
  /** Namespace of the objects; empty: all namespaces. */
  readonly namespace: string;
  /** The only name that can match, when selectors require it. */
  readonly name: string | undefined;
}

/** The selectors of a request. */
export interface Selectors {
  readonly labels: LabelRequirements;
  readonly fields: FieldRequirements;
  /** A continue token defines its own range, whatever the selectors are. */
  readonly continue: string;
}

/** Selectors of a list, watch or deletion. @throws StatusError 400 */
export function readSelection(
  { resource, info, kind }: Pick<RequestContext, 'resource' | 'info' | 'kind'>,
  selectors: Selectors,
): Selection {
  const labels = withoutRepetitions(selectors.labels);
  for (const { field } of selectors.fields) checkField(field, resource);
  const fields = withName(selectors.fields, info.name);
  const named = selectors.continue === '' ? requiredValue(fields, 'metadata.name') : undefined;
  const within = selectors.continue === '' && resource.namespaced ? requiredValue(fields, 'metadata.namespace') : undefined;
  const namespace = !resource.namespaced ? '' : info.namespace !== '' || !isNamespaceName(within) ? info.namespace : within;
  const placed = !resource.namespaced || namespace !== '';
  const everything = labels.length === 0 && fields.length === 0;
  const selects = (stored: StoredObject): boolean => {
    if (!matchesLabels(labels, stored.labels)) return false;
    if (fields.length === 0) return true;
    // Stored objects of built-in kinds need no conversion for field selectors.
    const object = resource.custom ? kind.fromStorage(stored.object) : stored.object;
    return matchesFields(fields, (field) => fieldValue(object, field));
  };
  return { selects: everything ? undefined : selects, namespace, name: placed && named !== '' ? named : undefined };
}

/** Removes duplicate requirements, which need no second check. */
function withoutRepetitions(labels: LabelRequirements): LabelRequirements {
  const seen = new Set<string>();
  return labels.filter(({ key, operator, values: [value = ''], values }) => {
    if (values.length > 1) return true;
    const text = `${key} ${operator} ${value}`;
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

/** A name in the path acts as a field selector, and must agree with the given one. @throws StatusError 400 */
function withName(fields: FieldRequirements, name: string): FieldRequirements {
  if (name === '') return fields;
  if (fields.length === 0) return [{ field: 'metadata.name', equal: true, value: name }];
  if (requiredValue(fields, 'metadata.name') !== name) throw badRequest("fieldSelector metadata.name doesn't match requested name");
  return fields;
}

function isNamespaceName(name: string | undefined): name is string {
  return name !== undefined && isDns1123Label(name).length === 0;
}

function checkField(field: string, resource: Resource): void {
  const { fieldSelectors, namespaceSelector } = resource;
  if (field === 'metadata.name' || (field === 'metadata.namespace' && namespaceSelector) || fieldSelectors.includes(field)) return;
  throw badRequest(unknownField(field, resource));
}

/** Error texts differ for kinds with selectable fields of their own. */
function unknownField(field: string, { kind, group, version, fieldSelectors, custom }: Resource): string {
  if (fieldSelectors.length === 0 && !custom)
    return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
  if (kind === 'Job' && !custom) return `field label ${JSON.stringify(field)} not supported for Job`;
  if (kind === 'ResourceSlice' && !custom) return `field label not supported for ${group}/${version}, Kind=ResourceSlice: ${field}`;
  return `field label not supported: ${field}`;
}

/** Field labels that are no paths, or that have a default. */
const readings: Readonly<Record<string, { readonly path: string; readonly absent?: string }>> = {
  'spec.host': { path: 'spec.nodeName' },
  source: { path: 'source.component' },
  'spec.hostNetwork': { path: 'spec.hostNetwork', absent: 'false' },
  'spec.unschedulable': { path: 'spec.unschedulable', absent: 'false' },
  'status.replicas': { path: 'status.replicas', absent: '0' },
  'status.successful': { path: 'status.succeeded', absent: '0' },
};

function fieldValue(object: ApiObject, field: string): string {
  // Events are stored in the core version.
  const stored =
    object.kind === 'Event' ? field.replace(/^regarding\./, 'involvedObject.').replace('reportingController', 'reportingComponent') : field;
  const { path, absent = '' } = ownMember(readings, stored) ?? { path: stored };
  // An event of the newer form has its source in other places.
  if (field === 'source' && object.kind === 'Event') return textAt(object, path) ?? textAt(object, 'reportingComponent') ?? absent;
  return textAt(object, path) ?? absent;
}

function textAt(object: ApiObject, path: string): string | undefined {
  let at: Json | undefined = object;
  for (const name of path.split('.')) {
    if (!isJsonObject(at)) return undefined;
    at = ownMember(at, name);
  }
  if (at === undefined || at === null || typeof at === 'object') return undefined;
  return String(at);
}
