import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import type { ResourceRequest } from './builder.ts';

/** The request of the common flags: arguments, -f, -k, -R, -l, --field-selector, --all, -A. */
export async function requestFromFlags(call: Call, more: Partial<ResourceRequest> = {}): Promise<ResourceRequest> {
  const { flags, words } = call;
  const { name, explicit } = await call.namespace();
  const text = (flag: string): string => (flags.has(flag) ? flags.text(flag) : '');
  const isSet = (flag: string): boolean => flags.has(flag) && flags.bool(flag);
  return {
    words,
    files: flags.has('filename') ? flags.list('filename') : [],
    kustomize: text('kustomize'),
    recursive: isSet('recursive'),
    namespace: name,
    explicit,
    allNamespaces: isSet('all-namespaces'),
    selector: text('selector'),
    fieldSelector: text('field-selector'),
    all: isSet('all'),
    ...more,
  };
}

/** @throws KubectlError without files; Builder checks that only one of both flags is given */
export function requireFiles({ flags }: Call): void {
  if (flags.list('filename').length === 0 && flags.text('kustomize') === '') throw new KubectlError('must specify one of -f and -k');
}
