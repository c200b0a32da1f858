/** What a write must pass besides authorization: plugins that complete objects, and plugins that refuse them. */
export { type Admission, type AdmissionPlugin, type AdmissionRequest, admissionChain } from './admission.ts';
export { type NamespaceSource, namespaceLifecycle } from './namespace-lifecycle.ts';
