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
} from '../meta/index.ts';
import type { StoredObject } from '../registry/index.ts';
import type { Resource } from '../schema/index.ts';
import type { Call } from './call.ts';

/** Which objects of a collection are meant. */
export interface Selection {
  /** Undefined selects everything. */
  readonly selects: ((stored: StoredObject) => boolean) | undefined;
  /** Where they are; empty: in all namespaces. */
  readonly namespace: string;
  /** The one object that can match, when the request says its name and place. */
  readonly name: string | undefined;
}

/** What a request's selectors ask for. */
export interface Selectors {
  readonly labels: LabelRequirements;
  readonly fields: FieldRequirements;
  /** A token goes on in its own collection, whatever the selectors say. */
  readonly continue: string;
}

/** Selectors of a list, watch or deletion. @throws StatusError 400 */
export function readSelection({ resource, info, kind }: Pick<Call, 'resource' | 'info' | 'kind'>, selectors: Selectors): Selection {
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
    // What is stored of built-in kinds has its fields as they are.
    const object = resource.custom ? kind.fromStorage(stored.object) : stored.object;
    return matchesFields(fields, (field) => fieldValue(object, field));
  };
  return { selects: everything ? undefined : selects, namespace, name: placed && named !== '' ? named : undefined };
}

/** What is required again need not be checked again for each object. */
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

/** The name in a path is the same as one in the selector, and has to agree with it. @throws StatusError 400 */
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

/** Kinds with selectable fields of their own answer in other words than the rest. */
function unknownField(field: string, { kind, group, version, fieldSelectors, custom }: Resource): string {
  if (fieldSelectors.length === 0 && !custom)
    return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
  if (kind === 'Job' && !custom) return `field label ${JSON.stringify(field)} not supported for Job`;
  if (kind === 'ResourceSlice' && !custom) return `field label not supported for ${group}/${version}, Kind=ResourceSlice: ${field}`;
  return `field label not supported: ${field}`;
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
