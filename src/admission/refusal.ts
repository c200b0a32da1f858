import { type ApiObject, forbidden, type StatusError } from '../meta/index.ts';
import type { AdmissionRequest, KindOfWrite } from './admission.ts';

/** The 403 of a plugin. A name still to be generated is told by its beginning (upstream admission.NewForbidden). */
export function refusal({ group, resource, name }: AdmissionRequest, object: ApiObject | undefined, why: string): StatusError {
  const { metadata } = object ?? {};
  const called = name || metadata?.name || metadata?.generateName || 'Unknown';
  return forbidden({ group, name: resource }, called, why);
}

/** Several reasons in one, as Go's aggregate tells them. */
export function allReasons(reasons: readonly string[]): string {
  const unique = [...new Set(reasons)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}

/** A write to pods themselves, not to a part of them. */
export function isOfPods({ group, resource, subresource }: KindOfWrite): boolean {
  return group === '' && resource === 'pods' && subresource === '';
}
