import { type AccessAttributes, type AccessDecision, evaluateWithLookups } from '../../cel/index.ts';
import { createPace, type Pace } from '../../env/index.ts';
import { type ApiObject, type Product, StatusError, type StatusReason, stringifyJson } from '../../meta/index.ts';
import type { AdmissionPlugin, ResourceKind } from '../admission.ts';
import { createForbiddenError } from '../forbidden-error.ts';
import { requireNamespace } from '../object-source.ts';
import { type Denial, evaluatePolicy, type PolicyDecision } from './evaluate-policy.ts';
import { createExclusion } from './excluded-resources.ts';
import { type MatchAttributes, matchResource } from './match-resources.ts';
import { collectParams, type ParamSource, PolicyConfigError, requireParamSource } from './params.ts';
import type { PolicyBinding } from './policy.ts';
import { createMatchAttributes, type PolicyContext } from './policy-context.ts';
import type { BoundPolicy, PolicyIndex } from './policy-index.ts';
import { createPolicyVariables, createSharedVariables } from './request-variables.ts';
import type { ValidatingPolicy } from './validating-policy.ts';

/** A rejection by a policy; only the first one is returned to the client. */
interface PolicyRejection {
  readonly policy: ValidatingPolicy;
  readonly binding: PolicyBinding | undefined;
  readonly message: string;
  readonly reason: StatusReason;
}

/** Enforces ValidatingAdmissionPolicies. Cf. upstream plugin/policy/validating. */
export function validatingPolicies(index: PolicyIndex<ValidatingPolicy>, context: PolicyContext, product: Product): AdmissionPlugin {
  const isExcluded = createExclusion(product);
  const failureKey = product.rename('validation.policy.admission.k8s.io/validation_failure');
  return {
    name: 'ValidatingAdmissionPolicy',
    handles: (write) => !isExcluded(write),
    async validate(request, object, old) {
      if (index.bound.length === 0) return;
      const write = createMatchAttributes(request, object, old, context);
      const rejections: PolicyRejection[] = [];
      const pace = createPace(context.clock);
      for (const bound of index.bound) {
        if (rejections.length > 0 && hasOnlyDenyActions(bound)) continue;
        rejections.push(...(await new PolicyRun(bound, write, context, failureKey).evaluate(pace)));
      }
      const [first] = rejections;
      if (first) throw createRejectionError(first, write);
    },
  };
}

/** After a first rejection, a policy that neither warns nor annotates has no effect. Skipping it can save a second. */
function hasOnlyDenyActions({ policy, bindings }: BoundPolicy<ValidatingPolicy>): boolean {
  return !policy.annotates && bindings.every(({ actions }) => actions.every((action) => action === 'Deny'));
}

/** Evaluates one policy and its bindings for one write. */
class PolicyRun {
  readonly #policy: ValidatingPolicy;
  readonly #bindings: readonly PolicyBinding[];
  readonly #write: MatchAttributes;
  readonly #context: PolicyContext;
  readonly #failureKey: string;
  readonly #rejections: PolicyRejection[] = [];
  readonly #annotations = new Map<string, Set<string>>();

  constructor({ policy, bindings }: BoundPolicy<ValidatingPolicy>, write: MatchAttributes, context: PolicyContext, failureKey: string) {
    this.#policy = policy;
    this.#bindings = bindings;
    this.#write = write;
    this.#context = context;
    this.#failureKey = failureKey;
  }

  async evaluate(pace: Pace): Promise<readonly PolicyRejection[]> {
    await this.#withFailurePolicy(undefined, async () => {
      const matched = await matchResource(this.#policy.match, this.#write);
      if (!matched) return;
      const { paramKind } = this.#policy;
      const source = paramKind && requireParamSource(paramKind, this.#context.params(paramKind));
      for (const binding of this.#bindings)
        await this.#withFailurePolicy(binding, () => this.#evaluateBinding(binding, matched, source, pace));
      this.#publishAnnotations();
    });
    return this.#rejections;
  }

  /** Applies the failure policy to errors in the policy or binding itself. */
  async #withFailurePolicy(binding: PolicyBinding | undefined, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof PolicyConfigError || error instanceof StatusError)) throw error;
      if (this.#policy.ignoresFailures) return;
      const message = `failed to configure ${binding ? 'binding' : 'policy'}: ${error.message}`;
      this.#rejections.push({ policy: this.#policy, binding, message, reason: 'Invalid' });
    }
  }

  async #evaluateBinding(binding: PolicyBinding, matched: ResourceKind, source: ParamSource | undefined, pace: Pace): Promise<void> {
    if (binding.match && !(await matchResource(binding.match, this.#write))) return;
    const { namespace, kind } = this.#write.request;
    const isNamespace = kind.group === '' && kind.kind === 'Namespace';
    const params = await collectParams(source, binding, namespace);
    if (params.length === 0) return;
    const namespaceObject =
      namespace === '' || isNamespace ? undefined : await requireNamespace(this.#context.namespace(namespace), namespace);
    const inVersion = async (object: ApiObject | undefined): Promise<ApiObject | undefined> =>
      object && this.#context.inVersion(object, matched);
    const versioned = {
      ...this.#write,
      matched,
      namespaceObject,
      object: await inVersion(this.#write.object),
      oldObject: await inVersion(this.#write.oldObject),
    };
    const values = createSharedVariables(versioned);
    const { clock } = this.#context;
    for (const param of params) {
      const startMs = clock.monotonicMs();
      const decision = await evaluateWithLookups<AccessAttributes, AccessDecision, PolicyDecision>(
        (lookup) => evaluatePolicy(this.#policy, createPolicyVariables(versioned, values, param, lookup), pace),
        (attributes) => this.#context.checkAccess(this.#write.request.user, attributes),
      );
      this.#enforce(binding, decision, (clock.monotonicMs() - startMs) / 1000);
    }
  }

  #enforce(binding: PolicyBinding, { denials, annotations }: PolicyDecision, seconds: number): void {
    for (const denial of denials) {
      for (const action of denial.always ? ['Deny'] : binding.actions) {
        this.#applyAction(action, binding, denial);
        const labels = { enforcement_action: action.toLowerCase(), error_type: errorTypeOf(denial), policy: this.#policy.name };
        this.#context.meter.observePolicyCheck({ ...labels, policy_binding: binding.name }, seconds);
      }
    }
    for (const { key, value } of annotations) {
      const values = this.#annotations.get(key) ?? new Set();
      this.#annotations.set(key, values.add(truncateValue(value)));
    }
  }

  #applyAction(action: string, binding: PolicyBinding, { index, message, reason }: Denial): void {
    const policy = this.#policy;
    const { request } = this.#write;
    if (action === 'Deny') this.#rejections.push({ policy, binding, message, reason });
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

/** Cf. upstream plugin/policy/validating ErrorType. */
function errorTypeOf({ message }: Denial): string {
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith('validation failed due to running out of cost budget') ? 'out_of_budget' : 'invalid_error';
}

const maxAnnotationBytes = 10 * 1024;

function truncateValue(value: string): string {
  const bytes = new TextEncoder().encode(value);
  return bytes.length <= maxAnnotationBytes ? value : new TextDecoder().decode(bytes.subarray(0, maxAnnotationBytes));
}

const codes: Readonly<Partial<Record<StatusReason, number>>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413 };

function createRejectionError({ policy, binding, message, reason }: PolicyRejection, { request, object }: MatchAttributes): StatusError {
  const by = `ValidatingAdmissionPolicy '${policy.name}'${binding ? ` with binding '${binding.name}'` : ''}`;
  const text = `${by} denied request: ${message}`;
  const forbiddenError = createForbiddenError(request, object, text);
  return new StatusError(codes[reason] ?? 422, reason, forbiddenError.message, { ...forbiddenError.details, causes: [{ message: text }] });
}
