import { type ApiObject, forbidden, type StatusError } from '../meta/index.ts';
import type { AdmissionAttributes, AdmissionRequest } from './admission.ts';

/** The 403 of a plugin. A name that is not generated yet is shown as its prefix (upstream admission.NewForbidden). */
export function createForbiddenError({ group, resource, name }: AdmissionRequest, object: ApiObject | undefined, why: string): StatusError {
  const { metadata } = object ?? {};
  const shownName = name || metadata?.name || metadata?.generateName || 'Unknown';
  return forbidden({ group, name: resource }, shownName, why);
}

/** Joins several reasons like Go's errors aggregate. */
export function aggregateReasons(reasons: readonly string[]): string {
  const unique = [...new Set(reasons)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}

export function isCreateOrUpdate({ operation }: Pick<AdmissionAttributes, 'operation'>): boolean {
  return operation === 'CREATE' || operation === 'UPDATE';
}

/** A write to pods, not to a subresource. */
export function isPodWrite({ group, resource, subresource }: AdmissionAttributes): boolean {
  return group === '' && resource === 'pods' && subresource === '';
}
