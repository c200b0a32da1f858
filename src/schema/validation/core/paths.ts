import { invalid } from '../../../meta/index.ts';
import { type Errors, none } from '../checks.ts';

/** Paths inside a volume. */

/** Neither absolute nor leading out. Cf. upstream validateLocalDescendingPath. */
export function descendingPath(target: string, path: string): Errors {
  return [...(target.startsWith('/') ? [invalid(path, target, 'must be a relative path')] : none), ...noBacksteps(target, path)];
}

export function noBacksteps(target: string, path: string): Errors {
  return target.split('/').includes('..') ? [invalid(path, target, "must not contain '..'")] : none;
}

/** As a file of a projected volume: names starting with two dots are the kubelet's own. */
export function nonReservedPath(target: string, path: string): Errors {
  return [
    ...descendingPath(target, path),
    // One that contains them elsewhere was told already.
    ...(target.startsWith('..') && !target.startsWith('../') ? [invalid(path, target, "must not start with '..'")] : none),
  ];
}
