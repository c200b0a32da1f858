import { forbiddenField, type JsonObject, metadataOrder } from '../../meta/index.ts';
import type { metav1 } from '../api/index.ts';
import { type Errors, none } from './checks.ts';
import type { Decoded } from './decoded.ts';
import { validateAnnotations, validateLabels } from './metadata.ts';

/** Fields set by the server or by an owner. */
const unsupported = metadataOrder.filter((name) => name !== 'labels' && name !== 'annotations');

/** Metadata of objects created from a template: only labels and annotations. Cf. upstream ValidateTemplateObjectMeta. */
export function validateTemplateMetadata(metadata: Decoded<metav1.ObjectMeta>, path: string): Errors {
  return [
    ...validateAnnotations(metadata.annotations ?? {}, `${path}.annotations`),
    ...validateLabels(metadata.labels ?? {}, `${path}.labels`),
    ...unsupported.flatMap((field) => (isSet(metadata, field) ? [forbiddenField(`${path}.${goFieldName(field)}`, 'cannot be set')] : none)),
  ];
}

function isSet(metadata: JsonObject, field: string): boolean {
  const value = metadata[field];
  return value !== undefined && value !== null && value !== '' && value !== 0;
}

/** Upstream shows Go field names with a lower-case initial. */
function goFieldName(field: string): string {
  return field === 'uid' ? 'uID' : field;
}
