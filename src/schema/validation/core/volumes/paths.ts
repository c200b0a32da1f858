import { invalid } from '../../../../meta/index.ts';
import { type Errors, none } from '../../checks.ts';

/** Paths within a volume. */

/** Relative, without `..`. Cf. upstream validateLocalDescendingPath. */
export function validateDescendingPath(target: string, path: string): Errors {
  return [...(target.startsWith('/') ? [invalid(path, target, 'must be a relative path')] : none), ...validateNoBacksteps(target, path)];
}

export function validateNoBacksteps(target: string, path: string): Errors {
  return target.split('/').includes('..') ? [invalid(path, target, "must not contain '..'")] : none;
}

/** File paths of projected volumes: names with two leading dots are reserved for the kubelet. */
export function validateNonReservedPath(target: string, path: string): Errors {
  return [
    ...validateDescendingPath(target, path),
    // `..` elsewhere in the path is reported above.
    ...(target.startsWith('..') && !target.startsWith('../../') ? [invalid(path, target, "must not start with '..'")] : none),
  ];
}
