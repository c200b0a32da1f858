import { type ApiObject, forbidden, type StatusError } from '../meta/index.ts';
import type { AdmissionRequest, KindOfWrite } from './admission.ts';

/** The 403 of a plugin. A name that is not generated yet is shown as its prefix (upstream admission.NewForbidden). */
export function refusal({ group, resource, name }: AdmissionRequest, object: ApiObject | undefined, why: string): StatusError {
  const { metadata } = object ?? {};
  const called = name || metadata?.name || metadata?.generateName || 'Unknown';
  return forbidden({ group, name: resource }, called, why);
}

/** Joins several reasons like Go's errors aggregate. */
export function allReasons(reasons: readonly string[]): string {
  const unique = [...new Set(reasons)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}

/** A write to pods, not to a subresource. */
export function isOfPods({ group, resource, subresource }: KindOfWrite): boolean {
  return group === '' && resource === 'pods' && subresource === '';
}
