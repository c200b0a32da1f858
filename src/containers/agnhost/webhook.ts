import type { Applet } from '../process/applet.ts';
import type { HttpService } from '../process/listeners.ts';
import type { Process } from '../process/process.ts';
import { parseFlags } from './flags.ts';
import { listenHttp, routes, serveForever, serverTls, text } from './http-server.ts';
import { reviewService } from './json-review.ts';

/** The parts of an admission request that the webhooks look at. */
interface AdmissionRequest {
  readonly operation: string;
  readonly name?: string;
  readonly subResource?: string;
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly object?: ReviewedObject | null;
  readonly oldObject?: ReviewedObject | null;
}

interface ReviewedObject {
  readonly metadata?: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly containers?: readonly Named[]; readonly initContainers?: readonly Named[] };
  readonly stdin?: boolean;
  readonly container?: string;
}

interface Named {
  readonly name: string;
}

interface AdmissionResponse {
  readonly allowed: boolean;
  readonly status?: { readonly status?: string; readonly message?: string; readonly reason?: string; readonly code?: number };
  readonly patchType?: 'JSONPatch';
  /** In base64. */
  readonly patch?: string;
}

type Admit = (request: AdmissionRequest) => AdmissionResponse | Promise<AdmissionResponse>;

const allowed: AdmissionResponse = { allowed: true };

const denied = (message: string): AdmissionResponse => ({ allowed: false, status: { message } });

const patched = (...patch: readonly object[]): AdmissionResponse =>
  patch.length === 0 ? allowed : { allowed: true, patchType: 'JSONPatch', patch: btoa(JSON.stringify(patch)) };

const addLabel: Admit = ({ object }) => {
  const labels = object?.metadata?.labels ?? {};
  if (Object.keys(labels).length === 0) return patched({ op: 'add', path: '/metadata/labels', value: { 'added-label': 'yes' } });
  if (labels['added-label'] === 'yes') return allowed;
  return patched({ op: labels['added-label'] === undefined ? 'add' : 'replace', path: '/metadata/labels/added-label', value: 'yes' });
};

/** Denies objects by their data; `kind` and `content` are for the reasons. */
const admitData =
  (kind: string, content: string): Admit =>
  ({ operation, object, oldObject }) => {
    const value = (operation === 'DELETE' ? oldObject : object)?.data?.['webhook-e2e-test'];
    if (value === 'webhook-disallow' && (operation === 'CREATE' || operation === 'UPDATE'))
      return { allowed: false, status: { reason: `the ${kind} contains ${content}` } };
    if (value === 'webhook-nondeletable' && operation === 'DELETE')
      return { allowed: false, status: { reason: `the ${kind} cannot be deleted because it contains unwanted key and value` } };
    return allowed;
  };

const mutateData: Admit = ({ object }) => {
  const { data = {} } = object ?? {};
  if (data['mutation-stage-1'] === 'yes') return patched({ op: 'add', path: '/data/mutation-stage-2', value: 'yes' });
  return data['mutation-start'] === 'yes' ? patched({ op: 'add', path: '/data/mutation-stage-1', value: 'yes' }) : allowed;
};

const admitPod: Admit = ({ object }) => {
  const label = object?.metadata?.labels?.['webhook-e2e-test'];
  // The answer is never sent, so that the caller's timeout shows.
  if (label === 'wait-forever') return new Promise<AdmissionResponse>(() => {});
  const problems = [
    ...(label === 'webhook-disallow' ? ['the pod contains unwanted label;'] : []),
    ...(object?.spec?.containers ?? [])
      .filter(({ name }) => name.includes('webhook-disallow'))
      .map(() => 'the pod contains unwanted container name;'),
  ];
  return problems.length === 0 ? allowed : denied(problems.join(' '));
};

const has = (containers: readonly Named[] | undefined, name: string): boolean => containers?.some((one) => one.name === name) ?? false;

const addInitContainer: Admit = ({ object }) => {
  const name = 'webhook-added-init-container';
  if (object?.metadata?.name !== 'webhook-to-be-mutated' || has(object.spec?.initContainers, name)) return allowed;
  return patched({ op: 'add', path: '/spec/initContainers', value: [{ image: 'webhook-added-image', name, resources: {} }] });
};

const addSidecar =
  (image: string): Admit =>
  ({ object }) => {
    const name = 'webhook-added-sidecar';
    if (image === '') {
      const message = 'No image specified by the sidecar-image parameter';
      return { allowed: false, status: { status: 'Failure', message, code: 500 } };
    }
    return has(object?.spec?.containers, name)
      ? allowed
      : patched({ op: 'add', path: '/spec/containers/-', value: { image, name, resources: {} } });
  };

const denyAttachment: Admit = ({ name, subResource, object }) => {
  if (name !== 'to-be-attached-pod') return allowed;
  if (subResource !== 'attach') return denied(`expect subresource to be attach, got ${subResource ?? ''}`);
  return object?.stdin && object.container === 'container1' ? denied("attaching to pod 'to-be-attached-pod' is not allowed") : allowed;
};

const admitDefinition: Admit = ({ object }) =>
  object?.metadata?.labels?.['webhook-e2e-test'] === 'webhook-disallow' ? denied('the crd contains unwanted label') : allowed;

const delayMs = 5_000;

const handlersOf = (sidecarImage: string, process: Process): Readonly<Record<string, Admit>> => ({
  '/always-allow-delay-5s': async () => {
    await process.sleep(delayMs);
    return { allowed: true, status: { message: 'this webhook allows all requests' } };
  },
  '/always-deny': () => denied('this webhook denies all requests'),
  '/add-label': addLabel,
  '/pods': admitPod,
  '/pods/attach': denyAttachment,
  '/mutating-pods': addInitContainer,
  '/mutating-pods-sidecar': addSidecar(sidecarImage),
  '/configmaps': admitData('configmap', 'unwanted key and value'),
  '/mutating-configmaps': mutateData,
  '/custom-resource': admitData('custom resource', 'unwanted data'),
  '/mutating-custom-resource': mutateData,
  '/crd': admitDefinition,
});

/** An admission webhook for tests. Cf. test/images/agnhost/webhook. */
export const webhook: Applet = (invocation, process) => {
  const flags = parseFlags(invocation.args);
  const services = Object.entries(handlersOf(flags.get('sidecar-image') ?? '', process)).map(([path, admit]): [string, HttpService] => [
    path,
    reviewService<AdmissionRequest>('AdmissionReview', admit),
  ]);
  const http = routes({ ...Object.fromEntries(services), '/readyz': () => text('ok') });
  return listenHttp(Number(flags.get('port') ?? 443), http, process, invocation, serverTls(flags, process)) ? serveForever(process) : 1;
};
