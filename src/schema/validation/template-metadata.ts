import { forbiddenField, type JsonObject, metadataOrder } from '../../meta/index.ts';
import { type Errors, none } from './checks.ts';
import { validateAnnotations, validateLabels } from './metadata.ts';
import { recordAt } from './reading.ts';

/** What the server gives, or an owner chooses. */
const unsupported = metadataOrder.filter((name) => name !== 'labels' && name !== 'annotations');

/** Of objects that are made from a template: only labels and annotations. Cf. upstream ValidateTemplateObjectMeta. */
export function templateMetadata(metadata: JsonObject, path: string): Errors {
  return [
    ...validateAnnotations(recordAt(metadata, 'annotations'), `${path}.annotations`),
    ...validateLabels(recordAt(metadata, 'labels'), `${path}.labels`),
    ...unsupported.flatMap((field) => (isSet(metadata, field) ? [forbiddenField(`${path}.${shown(field)}`, 'cannot be set')] : none)),
  ];
}

function isSet(metadata: JsonObject, field: string): boolean {
  const value = metadata[field];
  return value !== undefined && value !== null && value !== '' && value !== 0;
}

/** Upstream makes Go's names begin with a small letter. */
function shown(field: string): string {
  return field === 'uid' ? 'uID' : field;
}
