import { type ApiObject, fieldErrorTexts, invalidObject, type JsonObject, type Product, recordAt, sameJson } from '../../meta/index.ts';
import type { AdmissionAttributes, AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { createForbiddenError } from '../forbidden-error.ts';
import type { NamespaceSource } from '../namespace-lifecycle.ts';
import { podSpecOf } from '../object-accessors.ts';
import type { ObjectSource } from '../object-source.ts';
import { evaluatePod } from './evaluate.ts';
import { createPodView } from './pod-view.ts';
import {
  defaultPolicy,
  formatLevel,
  isFullyPrivileged,
  isSameLevel,
  isStricter,
  type LevelVersion,
  type ParsedPolicy,
  parsePolicy,
} from './policy.ts';
import { exemptWarning, isExemptRuntimeClass, type PodSecuritySettings } from './settings.ts';

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
const evaluatedSubresources: ReadonlySet<string> = new Set(['', 'ephemeralcontainers', 'resize']);

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
  const policyOf = async (namespace: string): Promise<ParsedPolicy> => {
    const found = await namespaces(namespace);
    return parsePolicy(found?.metadata.labels ?? {}, settings.defaults, product);
  };
  return {
    name: 'PodSecurity',
    handles: (write) => {
      if (write.operation !== 'CREATE' && write.operation !== 'UPDATE') return false;
      if (isResource(write, 'pods')) return evaluatedSubresources.has(write.subresource);
      return write.subresource === '' && (isResource(write, 'namespaces') || templatePathOf(write) !== undefined);
    },
    async validate(request, object, old) {
      if (isResource(request, 'namespaces')) return validateNamespace(request, object, old, { pods, settings, product });
      const exempt = exemptionOf(request, settings.exempt);
      if (exempt !== undefined) return annotate(request, product, () => ({ exempt }));
      const context = { settings, product, ...(await policyOf(request.namespace)) };
      if (!isResource(request, 'pods')) {
        const template = (templatePathOf(request) ?? []).reduce<JsonObject>(recordAt, object);
        evaluateTemplate(request, object, template, { ...context, enforced: false });
      } else if (context.errors.length === 0 && isFullyPrivileged(context.policy)) {
        annotate(request, product, () => ({ 'enforce-policy': formatLevel(defaultPolicy.enforce) }));
      } else if (!old || isSignificantPodUpdate(object, old)) evaluateTemplate(request, object, object, { ...context, enforced: true });
    },
  };
}

function isResource({ group, resource }: AdmissionAttributes, name: 'pods' | 'namespaces'): boolean {
  return group === '' && resource === name;
}

/** The path of the pod template; undefined for resources without one. */
function templatePathOf({ group, resource }: AdmissionAttributes): readonly string[] | undefined {
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

interface EvaluationContext extends ParsedPolicy {
  readonly settings: PodSecuritySettings;
  readonly product: Product;
  /** True for pods; workload resources are never rejected. */
  readonly enforced: boolean;
}

function evaluateTemplate(request: AdmissionRequest, object: ApiObject, template: JsonObject, context: EvaluationContext): void {
  const { policy, errors, settings, product, enforced } = context;
  const isReported = policy.warn.level !== 'privileged' || policy.audit.level !== 'privileged' || errors.length > 0;
  if (!enforced && !isReported) return;
  if (isExemptRuntimeClass(template, settings)) {
    annotate(request, product, () => ({ exempt: 'runtimeClass' }));
    return;
  }
  const pod = createPodView(template, product);
  const violation = (level: LevelVersion): string | undefined => {
    const { details } = evaluatePod(pod, level);
    return details === '' ? undefined : `violate PodSecurity ${JSON.stringify(formatLevel(level))}: ${details}`;
  };
  annotate(request, product, () => {
    const auditViolation = violation(policy.audit);
    return annotationsOf(context, auditViolation === undefined ? '' : `would ${auditViolation}`);
  });
  const enforceViolation = enforced ? violation(policy.enforce) : undefined;
  if (enforceViolation !== undefined) throw createForbiddenError(request, object, enforceViolation.replace('violate', 'violates'));
  const warnViolation = violation(policy.warn);
  if (warnViolation !== undefined) request.warn(`would ${warnViolation}`);
}

/** Audit annotations: the enforced level, violations of the audit level, and errors in labels. */
function annotationsOf({ policy, errors, enforced }: EvaluationContext, violations: string): Readonly<Record<string, string>> {
  const messages = fieldErrorTexts(errors);
  const problem = messages.length > 1 ? `[${messages.join(', ')}]` : messages.join('');
  return {
    ...(problem === '' ? {} : { error: `Failed to parse policy: ${problem}` }),
    ...(enforced ? { 'enforce-policy': formatLevel(policy.enforce) } : {}),
    ...(violations === '' ? {} : { 'audit-violations': violations }),
  };
}

interface NamespaceContext {
  readonly pods: ObjectSource;
  readonly settings: PodSecuritySettings;
  readonly product: Product;
}

/** Rejects invalid labels; a stricter level causes warnings about existing pods. */
async function validateNamespace(
  request: AdmissionRequest,
  namespace: ApiObject,
  old: ApiObject | undefined,
  { pods, settings, product }: NamespaceContext,
): Promise<void> {
  const { policy, errors } = parsePolicy(namespace.metadata.labels ?? {}, settings.defaults, product);
  const before = old && parsePolicy(old.metadata.labels ?? {}, settings.defaults, product);
  const known = before && before.errors.length > 0 && sameJson(before.errors as never, errors as never);
  if (errors.length > 0 && !known) throw invalidObject({ group: '', name: 'Namespace' }, namespace.metadata.name ?? '', errors);
  const name = namespace.metadata.name ?? '';
  if (before && !isTightened(policy.enforce, before.policy.enforce)) return;
  if (settings.exempt.namespaces.includes(name)) {
    const warning = exemptWarning(namespace, policy, settings.defaults, product);
    if (warning !== undefined) request.warn(warning);
  } else if (before) {
    const checked = (await pods.list(name)).filter((pod) => !isExemptRuntimeClass(pod, settings));
    for (const text of podWarnings(checked, name, policy.enforce, product)) request.warn(text);
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
  const checked = prioritizePods(pods).slice(0, maxPods);
  const byReasons = new Map<string, string[]>();
  for (const pod of checked) {
    const { reasons } = evaluatePod(createPodView(pod, product), level);
    if (reasons !== '') byReasons.set(reasons, [...(byReasons.get(reasons) ?? []), pod.metadata.name ?? '']);
  }
  const cut = `new PodSecurity enforce level only checked against the first ${checked.length} of ${pods.length} existing pods`;
  const head = `existing pods in namespace ${JSON.stringify(namespace)} violate the new PodSecurity enforce level ${JSON.stringify(formatLevel(level))}`;
  return [
    ...(checked.length < pods.length ? [cut] : []),
    ...(byReasons.size > 0 ? [head] : []),
    ...[...byReasons].map(([reasons, names]) => `${formatPodNames(names)}: ${reasons}`).sort(),
  ];
}

function formatPodNames(names: readonly string[]): string {
  const [first = ''] = [...names].sort();
  const others = names.length - 1;
  return others === 0 ? first : `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}

/** Puts one pod of each controller first: pods of one controller are alike, and the number of checked pods is limited. */
function prioritizePods(pods: readonly ApiObject[]): readonly ApiObject[] {
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

type Containers = ReturnType<typeof podSpecOf>['containers'];

/** Of the fields that an update can change, only images matter. */
function isSignificantPodUpdate(pod: ApiObject, old: ApiObject): boolean {
  const [spec, oldSpec] = [podSpecOf(pod), podSpecOf(old)];
  const images = (containers: Containers): string => (containers ?? []).map(({ image }) => image).join('\n');
  if (images(spec.containers) !== images(oldSpec.containers) || images(spec.initContainers) !== images(oldSpec.initContainers)) return true;
  const before = new Map(oldSpec.ephemeralContainers?.map(({ name, image }) => [name, image]));
  return (spec.ephemeralContainers ?? []).some(({ name, image }) => before.get(name) !== image);
}
