import { type AccessAnswer, type AccessQuestion, evaluateAsking } from '../../cel/index.ts';
import { createPace, type Pace } from '../../env/index.ts';
import { type ApiObject, type Product, StatusError, type StatusReason, stringifyJson } from '../../meta/index.ts';
import type { AdmissionPlugin, KindOfWrite, ResourceKind } from '../admission.ts';
import { refusal } from '../refusal.ts';
import { type Denial, type Judgement, judge } from './judge.ts';
import { type MatchedWrite, matchedAs } from './match-resources.ts';
import { type ParamSource, PolicyConfigError, paramsOf, requireParamSource } from './params.ts';
import type { Policy, PolicyBinding } from './policy.ts';
import type { BoundPolicy, PolicyIndex } from './policy-index.ts';
import { policyValues, seenValues } from './request-values.ts';
import { matchedWrite, type PolicyWorld, requireNamespace } from './world.ts';

/** A rejection by a policy; only the first one is returned to the client. */
interface Refusal {
  readonly policy: Policy;
  readonly binding: PolicyBinding | undefined;
  readonly message: string;
  readonly reason: StatusReason;
}

/** Enforces ValidatingAdmissionPolicies. Cf. upstream plugin/policy/validating. */
export function validatingPolicies(index: PolicyIndex, world: PolicyWorld, product: Product): AdmissionPlugin {
  const isExcluded = exclusion(product);
  const failureKey = product.rename('validation.policy.admission.k8s.io/validation_failure');
  return {
    name: 'ValidatingAdmissionPolicy',
    concerns: (write) => !isExcluded(write),
    async validate(request, object, old) {
      if (index.bound.length === 0) return;
      const write = matchedWrite(request, object, old, world);
      const refusals: Refusal[] = [];
      const pace = createPace(world.clock);
      for (const bound of index.bound) {
        if (refusals.length > 0 && onlyDenies(bound)) continue;
        refusals.push(...(await new PolicyRun(bound, write, world, failureKey).refusals(pace)));
      }
      const [first] = refusals;
      if (first) throw refusedBy(first, write);
    },
  };
}

/** After a first rejection, a policy that neither warns nor annotates has no effect. Skipping it can save a second. */
function onlyDenies({ policy, bindings }: BoundPolicy): boolean {
  return !policy.annotates && bindings.every(({ actions }) => actions.every((action) => action === 'Deny'));
}

/** Policies do not apply to themselves, nor to reviews, which are not stored. */
function exclusion(product: Product): (write: KindOfWrite) => boolean {
  const policies = ['validatingadmissionpolicies', 'mutatingadmissionpolicies'];
  const excluded: readonly (readonly [string, readonly string[]])[] = [
    ['admissionregistration.k8s.io', [...policies, 'validatingadmissionpolicybindings', 'mutatingadmissionpolicybindings']],
    ['authentication.k8s.io', ['selfsubjectreviews', 'tokenreviews']],
    ['authorization.k8s.io', ['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews']],
  ];
  const byGroup = new Map(excluded.map(([group, resources]) => [product.rename(group), resources]));
  return ({ group, resource }) => byGroup.get(group)?.includes(resource) ?? false;
}

/** Evaluates one policy and its bindings for one write. */
class PolicyRun {
  readonly #policy: Policy;
  readonly #bindings: readonly PolicyBinding[];
  readonly #write: MatchedWrite;
  readonly #world: PolicyWorld;
  readonly #failureKey: string;
  readonly #refusals: Refusal[] = [];
  readonly #annotations = new Map<string, Set<string>>();

  constructor({ policy, bindings }: BoundPolicy, write: MatchedWrite, world: PolicyWorld, failureKey: string) {
    this.#policy = policy;
    this.#bindings = bindings;
    this.#write = write;
    this.#world = world;
    this.#failureKey = failureKey;
  }

  async refusals(pace: Pace): Promise<readonly Refusal[]> {
    await this.#configured(undefined, async () => {
      const matched = await matchedAs(this.#policy.match, this.#write);
      if (!matched) return;
      const { paramKind } = this.#policy;
      const source = paramKind && requireParamSource(paramKind, this.#world.params(paramKind));
      for (const binding of this.#bindings) await this.#configured(binding, () => this.#askFor(binding, matched, source, pace));
      this.#publishAnnotations();
    });
    return this.#refusals;
  }

  /** Applies the failure policy to errors in the policy or binding itself. */
  async #configured(binding: PolicyBinding | undefined, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof PolicyConfigError || error instanceof StatusError)) throw error;
      if (this.#policy.ignoresFailures) return;
      const message = `failed to configure ${binding ? 'binding' : 'policy'}: ${error.message}`;
      this.#refusals.push({ policy: this.#policy, binding, message, reason: 'Invalid' });
    }
  }

  async #askFor(binding: PolicyBinding, matched: ResourceKind, source: ParamSource | undefined, pace: Pace): Promise<void> {
    if (binding.match && !(await matchedAs(binding.match, this.#write))) return;
    const { namespace, kind } = this.#write.request;
    const isNamespace = kind.group === '' && kind.kind === 'Namespace';
    const params = await paramsOf(source, binding, namespace);
    if (params.length === 0) return;
    const namespaceObject = namespace === '' || isNamespace ? undefined : await requireNamespace(this.#world, namespace);
    const inVersion = (object: ApiObject | undefined): ApiObject | undefined => object && this.#world.inVersion(object, matched);
    const seen = {
      ...this.#write,
      matched,
      namespaceObject,
      object: inVersion(this.#write.object),
      oldObject: inVersion(this.#write.oldObject),
    };
    const values = seenValues(seen);
    for (const param of params) {
      const judgement = await evaluateAsking<AccessQuestion, AccessAnswer, Judgement>(
        (ask) => judge(this.#policy, policyValues(seen, values, param, ask), pace),
        (question) => this.#world.mayAccess(this.#write.request.user, question),
      );
      this.#enforce(binding, judgement);
    }
  }

  #enforce(binding: PolicyBinding, { denials, annotations }: Judgement): void {
    for (const denial of denials) {
      for (const action of denial.always ? ['Deny'] : binding.actions) this.#act(action, binding, denial);
    }
    for (const { key, value } of annotations) {
      const values = this.#annotations.get(key) ?? new Set();
      this.#annotations.set(key, values.add(shortened(value)));
    }
  }

  #act(action: string, binding: PolicyBinding, { index, message, reason }: Denial): void {
    const policy = this.#policy;
    const { request } = this.#write;
    if (action === 'Deny') this.#refusals.push({ policy, binding, message, reason });
    else if (action === 'Warn')
      request.warn(`Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`);
    else if (action === 'Audit') {
      const failure = { message, policy: policy.name, binding: binding.name, expressionIndex: index, validationActions: binding.actions };
      request.annotate(() => ({ [this.#failureKey]: stringifyJson([failure]) }));
    }
  }

  /** Joins the values, because bindings can produce different ones. */
  #publishAnnotations(): void {
    for (const [key, values] of this.#annotations)
      this.#write.request.annotate(() => ({ [`${this.#policy.name}/${key}`]: [...values].join(', ') }));
  }
}

const maxAnnotationBytes = 10 * 1024;

function shortened(value: string): string {
  const bytes = new TextEncoder().encode(value);
  return bytes.length <= maxAnnotationBytes ? value : new TextDecoder().decode(bytes.subarray(0, maxAnnotationBytes));
}

const codes: Readonly<Partial<Record<StatusReason, number>>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413 };

function refusedBy({ policy, binding, message, reason }: Refusal, { request, object }: MatchedWrite): StatusError {
  const by = `ValidatingAdmissionPolicy '${policy.name}'${binding ? ` with binding '${binding.name}'` : ''}`;
  const text = `${by} denied request: ${message}`;
  const refused = refusal(request, object, text);
  return new StatusError(codes[reason] ?? 422, reason, refused.message, { ...refused.details, causes: [{ message: text }] });
}
