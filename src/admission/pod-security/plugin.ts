import {
  type ApiObject,
  invalidObject,
  isJsonObject,
  type JsonObject,
  objectsAt,
  type Product,
  recordAt,
  sameJson,
  textAt,
} from '../../meta/index.ts';
import type { AdmissionPlugin, AdmissionRequest, KindOfWrite } from '../admission.ts';
import type { NamespaceSource } from '../namespace-lifecycle.ts';
import type { ObjectSource } from '../object-source.ts';
import { specOf } from '../reading.ts';
import { refusal } from '../refusal.ts';
import { evaluate } from './evaluate.ts';
import { viewOf } from './pod-view.ts';
import {
  isFullyPrivileged,
  isSameLevel,
  isStricter,
  type LevelVersion,
  type ReadPolicy,
  readPolicy,
  textOfLevel,
  usualDefaults,
} from './policy.ts';
import { exemptWarning, isOfExemptClass, type PodSecuritySettings } from './settings.ts';

/** Paths of the pod template in workload resources. */
const templates: Readonly<Record<string, readonly string[]>> = {
  podtemplates: ['template'],
  replicationcontrollers: ['spec', 'template'],
  replicasets: ['spec', 'template'],
  deployments: ['spec', 'template'],
  statefulsets: ['spec', 'template'],
  daemonsets: ['spec', 'template'],
  jobs: ['spec', 'template'],
  cronjobs: ['spec', 'jobTemplate', 'spec', 'template'],
};
const groups: ReadonlySet<string> = new Set(['', 'apps', 'batch']);
/** Subresources of pods whose writes can change the evaluation. */
const judgedParts: ReadonlySet<string> = new Set(['', 'ephemeralcontainers', 'resize']);

/**
 * Enforces the Pod Security level in the labels of a pod's namespace; workload resources only cause warnings. Cf. upstream
 * pod-security-admission.
 */
export function podSecurity(
  namespaces: NamespaceSource,
  pods: ObjectSource,
  settings: PodSecuritySettings,
  product: Product,
): AdmissionPlugin {
  const policyOf = async (namespace: string): Promise<ReadPolicy> => {
    const found = await namespaces(namespace);
    return readPolicy(found?.metadata.labels ?? {}, settings.defaults, product);
  };
  return {
    name: 'PodSecurity',
    concerns: (write) => {
      if (write.operation !== 'CREATE' && write.operation !== 'UPDATE') return false;
      if (isOf(write, 'pods')) return judgedParts.has(write.subresource);
      return write.subresource === '' && (isOf(write, 'namespaces') || templateOf(write) !== undefined);
    },
    async validate(request, object, old) {
      if (isOf(request, 'namespaces')) return judgeNamespace(request, object, old, { pods, settings, product });
      const exempt = exemptionOf(request, settings.exempt);
      if (exempt !== undefined) return annotate(request, product, () => ({ exempt }));
      const judging = { ...(await policyOf(request.namespace)), settings, product };
      if (!isOf(request, 'pods')) {
        const template = (templateOf(request) ?? []).reduce<JsonObject>(recordAt, object);
        judge(request, object, template, { ...judging, enforced: false });
      } else if (judging.errors.length === 0 && isFullyPrivileged(judging.policy)) {
        annotate(request, product, () => ({ 'enforce-policy': textOfLevel(usualDefaults.enforce) }));
      } else if (!old || isSignificant(object, old)) judge(request, object, object, { ...judging, enforced: true });
    },
  };
}

function isOf({ group, resource }: KindOfWrite, name: 'pods' | 'namespaces'): boolean {
  return group === '' && resource === name;
}

/** The path of the pod template; undefined for resources without one. */
function templateOf({ group, resource }: KindOfWrite): readonly string[] | undefined {
  return groups.has(group) && Object.hasOwn(templates, resource) ? templates[resource] : undefined;
}

/** The exemption that applies to a request, if any. */
function exemptionOf({ namespace, user }: AdmissionRequest, exempt: PodSecuritySettings['exempt']): string | undefined {
  if (exempt.namespaces.includes(namespace)) return 'namespace';
  return exempt.usernames.includes(user.username) ? 'user' : undefined;
}

function annotate(request: AdmissionRequest, product: Product, annotations: () => Readonly<Record<string, string>>): void {
  const prefix = product.rename('pod-security.kubernetes.io/');
  request.annotate(() => Object.fromEntries(Object.entries(annotations()).map(([key, value]) => [prefix + key, value])));
}

interface Judging extends ReadPolicy {
  readonly settings: PodSecuritySettings;
  readonly product: Product;
  /** True for pods; workload resources are never rejected. */
  readonly enforced: boolean;
}

function judge(request: AdmissionRequest, object: ApiObject, template: JsonObject, judging: Judging): void {
  const { policy, errors, settings, product, enforced } = judging;
  const isTold = policy.warn.level !== 'privileged' || policy.audit.level !== 'privileged' || errors.length > 0;
  if (!enforced && !isTold) return;
  if (isOfExemptClass(template, settings)) {
    annotate(request, product, () => ({ exempt: 'runtimeClass' }));
    return;
  }
  const pod = viewOf(template, product);
  const violation = (kept: LevelVersion): string | undefined => {
    const { details } = evaluate(pod, kept);
    return details === '' ? undefined : `violate PodSecurity ${JSON.stringify(textOfLevel(kept))}: ${details}`;
  };
  annotate(request, product, () => {
    const audited = violation(policy.audit);
    return annotationsOf(judging, audited === undefined ? '' : `would ${audited}`);
  });
  const refused = enforced ? violation(policy.enforce) : undefined;
  if (refused !== undefined) throw refusal(request, object, refused.replace('violate', 'violates'));
  const warned = violation(policy.warn);
  if (warned !== undefined) request.warn(`would ${warned}`);
}

/** Audit annotations: the enforced level, violations of the audit level, and errors in labels. */
function annotationsOf({ policy, errors, enforced }: Judging, violations: string): Readonly<Record<string, string>> {
  const told = errors.map(({ field, message }) => `${field}: ${message}`);
  const problem = told.length > 1 ? `[${told.join(', ')}]` : told.join('');
  return {
    ...(problem === '' ? {} : { error: `Failed to parse policy: ${problem}` }),
    ...(enforced ? { 'enforce-policy': textOfLevel(policy.enforce) } : {}),
    ...(violations === '' ? {} : { 'audit-violations': violations }),
  };
}

interface JudgingNamespaces {
  readonly pods: ObjectSource;
  readonly settings: PodSecuritySettings;
  readonly product: Product;
}

/** Rejects invalid labels; a stricter level causes warnings about existing pods. */
async function judgeNamespace(
  request: AdmissionRequest,
  namespace: ApiObject,
  old: ApiObject | undefined,
  { pods, settings, product }: JudgingNamespaces,
): Promise<void> {
  const { policy, errors } = readPolicy(namespace.metadata.labels ?? {}, settings.defaults, product);
  const before = old && readPolicy(old.metadata.labels ?? {}, settings.defaults, product);
  const known = before && before.errors.length > 0 && sameJson(before.errors as never, errors as never);
  if (errors.length > 0 && !known) throw invalidObject({ group: '', name: 'Namespace' }, namespace.metadata.name ?? '', errors);
  const name = namespace.metadata.name ?? '';
  if (before && !isTightened(policy.enforce, before.policy.enforce)) return;
  if (settings.exempt.namespaces.includes(name)) {
    const warning = exemptWarning(namespace, policy, settings.defaults, product);
    if (warning !== undefined) request.warn(warning);
  } else if (before) {
    const judged = (await pods.list(name)).filter((pod) => !isOfExemptClass(pod, settings));
    for (const text of podWarnings(judged, name, policy.enforce, product)) request.warn(text);
  }
}

/** Whether the change can make valid pods violate the level. */
function isTightened(now: LevelVersion, then: LevelVersion): boolean {
  if (isSameLevel(now, then) || now.level === 'privileged') return false;
  return now.minor !== then.minor || isStricter(now.level, then.level);
}

/** Upstream's limit of checked pods. */
const maxPods = 3000;

function podWarnings(pods: readonly ApiObject[], namespace: string, level: LevelVersion, product: Product): readonly string[] {
  const checked = oneOfEachControllerFirst(pods).slice(0, maxPods);
  const byReasons = new Map<string, string[]>();
  for (const pod of checked) {
    const { reasons } = evaluate(viewOf(pod, product), level);
    if (reasons !== '') byReasons.set(reasons, [...(byReasons.get(reasons) ?? []), pod.metadata.name ?? '']);
  }
  const cut = `new PodSecurity enforce level only checked against the first ${checked.length} of ${pods.length} existing pods`;
  const head = `existing pods in namespace ${JSON.stringify(namespace)} violate the new PodSecurity enforce level ${JSON.stringify(textOfLevel(level))}`;
  return [
    ...(checked.length < pods.length ? [cut] : []),
    ...(byReasons.size > 0 ? [head] : []),
    ...[...byReasons].map(([reasons, names]) => `${namesText(names)}: ${reasons}`).sort(),
  ];
}

function namesText(names: readonly string[]): string {
  const [first = ''] = [...names].sort();
  const others = names.length - 1;
  return others === 0 ? first : `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}

/** Puts one pod of each controller first: pods of one controller are alike, and the number of checked pods is limited. */
function oneOfEachControllerFirst(pods: readonly ApiObject[]): readonly ApiObject[] {
  const seen = new Set<string>();
  const rest: ApiObject[] = [];
  const first = pods.filter((pod) => {
    const uid = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
    if (uid === undefined) return true;
    const again = seen.has(uid);
    seen.add(uid);
    if (again) rest.push(pod);
    return !again;
  });
  return [...first, ...rest];
}

/** Of the fields that an update can change, only images matter. */
function isSignificant(pod: ApiObject, old: ApiObject): boolean {
  const images = (object: ApiObject, list: string): readonly string[] => objectsAt(specOf(object), list).map((one) => textAt(one, 'image'));
  const changed = ['containers', 'initContainers'].some((list) => images(pod, list).join('\n') !== images(old, list).join('\n'));
  const before = new Map(objectsAt(specOf(old), 'ephemeralContainers').map((one) => [textAt(one, 'name'), textAt(one, 'image')]));
  return (
    changed ||
    objectsAt(specOf(pod), 'ephemeralContainers').some(
      (one) => isJsonObject(one) && before.get(textAt(one, 'name')) !== textAt(one, 'image'),
    )
  );
}
