import type { AdmissionRequest } from './admission.ts';
import { Reinvocation } from './reinvocation.ts';

/** An admission request for tests: by default the creation of a pod in `ns` by user a. */
export function requestFor(write: Partial<AdmissionRequest>): AdmissionRequest {
  return {
    operation: 'CREATE',
    group: '',
    version: 'v1',
    resource: 'pods',
    kind: { group: '', version: 'v1', kind: 'Pod' },
    subresource: '',
    namespace: 'ns',
    name: '',
    user: { username: 'a', uid: '', groups: [], extra: {} },
    dryRun: false,
    options: () => null,
    reinvocation: new Reinvocation(),
    warn: () => undefined,
    annotate: () => undefined,
    reportTrace: () => undefined,
    ...write,
  };
}
