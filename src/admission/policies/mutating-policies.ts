import { type AccessAttributes, type AccessDecision, evaluateWithLookups, type Variables } from '../../cel/index.ts';
import { createPace, type Pace } from '../../env/index.ts';
import { type ApiObject, type Product, StatusError, type StatusReason, sameJson } from '../../meta/index.ts';
import type { AdmissionPlugin, AdmissionRequest, ResourceKind } from '../admission.ts';
import { createForbiddenError } from '../forbidden-error.ts';
import { requireNamespace } from '../object-source.ts';
import { applyMutation, MutationError } from './apply-mutation.ts';
import { checkMatchConditions } from './evaluate-policy.ts';
import { OutOfBudget } from './evaluation.ts';
import { createExclusion } from './excluded-resources.ts';
import { type MatchAttributes, matchResource } from './match-resources.ts';
import type { MutatingPolicy } from './mutating-policy.ts';
import { collectParams, PolicyConfigError, requireParamSource } from './params.ts';
import type { PolicyBinding } from './policy.ts';
import { createMatchAttributes, type PolicyContext } from './policy-context.ts';
import type { BoundPolicy, PolicyIndex } from './policy-index.ts';
import { createPolicyVariables, createSharedVariables, type VersionedAttributes } from './request-variables.ts';

const pluginName = 'MutatingAdmissionPolicy';

/** Applies the mutations of MutatingAdmissionPolicies. Cf. upstream plugin/policy/mutating. */
export function mutatingPolicies(index: PolicyIndex<MutatingPolicy>, context: PolicyContext, product: Product): AdmissionPlugin {
  const isExcluded = createExclusion(product);
  return {
    name: pluginName,
    // A deletion has no object to change.
    handles: (write) => write.operation !== 'DELETE' && !isExcluded(write),
    async mutate(request, object, old) {
      if (index.bound.length === 0) return object;
      return new MutatingRound(request, old, context).run(index.bound, object);
    },
  };
}

/** A policy that matches the write, with one of its bindings and parameters. */
interface Invocation {
  readonly policy: MutatingPolicy;
  readonly binding: PolicyBinding;
  readonly matched: ResourceKind;
  readonly param: ApiObject | undefined;
}

interface PolicyProblem {
  readonly policy: MutatingPolicy;
  readonly binding: PolicyBinding | undefined;
  readonly message: string;
  readonly reason: StatusReason;
}

/** One round of all policies for one request. Cf. upstream generic/policy_dispatcher.go and mutating/dispatcher.go. */
class MutatingRound {
  readonly #request: AdmissionRequest;
  readonly #old: ApiObject | undefined;
  readonly #context: PolicyContext;
  readonly #pace: Pace;
  readonly #problems: PolicyProblem[] = [];

  constructor(request: AdmissionRequest, old: ApiObject | undefined, context: PolicyContext) {
    this.#request = request;
    this.#old = old;
    this.#context = context;
    this.#pace = createPace(context.clock);
  }

  /** @throws StatusError */
  async run(bound: readonly BoundPolicy<MutatingPolicy>[], object: ApiObject): Promise<ApiObject> {
    const write = createMatchAttributes(this.#request, object, this.#old, this.#context);
    const invocations: Invocation[] = [];
    for (const one of bound) invocations.push(...(await this.#matchPolicy(one, write)));
    const next = invocations.length > 0 ? await this.#invokeAll(invocations, write, object) : object;
    const [first] = this.#problems;
    if (first) throw this.#rejection(first, object);
    return next;
  }

  /** Policies and bindings match the object as it was before the first mutation. */
  async #matchPolicy({ policy, bindings }: BoundPolicy<MutatingPolicy>, write: MatchAttributes): Promise<readonly Invocation[]> {
    const invocations = await this.#withFailurePolicy(policy, undefined, async () => {
      const matched = await matchResource(policy.match, write);
      if (!matched) return [];
      const { paramKind } = policy;
      const source = paramKind && requireParamSource(paramKind, this.#context.params(paramKind));
      const found: Invocation[] = [];
      for (const binding of bindings) {
        const params = await this.#withFailurePolicy(policy, binding, async () =>
          binding.match && !(await matchResource(binding.match, write)) ? [] : collectParams(source, binding, this.#request.namespace),
        );
        for (const param of params ?? []) found.push({ policy, binding, matched, param });
      }
      return found;
    });
    return invocations ?? [];
  }

  /** Undefined after an error in the policy or binding itself. */
  async #withFailurePolicy<T>(policy: MutatingPolicy, binding: PolicyBinding | undefined, run: () => Promise<T>): Promise<T | undefined> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof PolicyConfigError || error instanceof StatusError)) throw error;
      this.#addProblem({ policy, binding }, `failed to configure ${binding ? 'binding' : 'policy'}: ${error.message}`, 'Forbidden');
      return undefined;
    }
  }

  async #invokeAll(invocations: readonly Invocation[], write: MatchAttributes, object: ApiObject): Promise<ApiObject> {
    const { namespace, kind, reinvocation } = this.#request;
    const isNamespace = kind.group === '' && kind.kind === 'Namespace';
    const namespaceObject =
      namespace === '' || isNamespace ? undefined : await requireNamespace(this.#context.namespace(namespace), namespace);
    const items = reinvocation.itemsOf(pluginName);
    // Another plugin has changed the object since the policies ran.
    if (reinvocation.isSecondRound && items.output !== undefined && !sameJson(items.output, object)) items.requireInvoked();
    let next = object;
    let isMutated = false;
    for (const invocation of invocations) {
      const { policy, binding, matched, param } = invocation;
      const inVersion = async (one: ApiObject | undefined): Promise<ApiObject | undefined> => one && this.#context.inVersion(one, matched);
      const attributes = { ...write, matched, namespaceObject, object: await inVersion(next), oldObject: await inVersion(this.#old) };
      if (!(await this.#meetsConditions(invocation, attributes))) continue;
      const id = [policy.name, binding.name, param?.metadata.namespace, param?.metadata.name].join('/');
      if (reinvocation.isSecondRound && !items.isDue(id)) continue;
      const mutated = await this.#mutate(invocation, attributes);
      if (mutated && mutated !== attributes.object) {
        isMutated = true;
        if (!sameJson(mutated, attributes.object)) items.requireInvoked();
        next = await this.#context.fromVersion(mutated, matched, next);
      }
      if (policy.isReinvokedIfNeeded) items.addInvoked(id);
    }
    // Like upstream, also when the mutations left the object as it was.
    if (isMutated) {
      items.requireInvoked();
      reinvocation.require();
    }
    items.output = next;
    return next;
  }

  async #meetsConditions(invocation: Invocation, attributes: VersionedAttributes): Promise<boolean> {
    const { policy, binding } = invocation;
    const expressions = await policy.expressions(this.#pace);
    const problem = await this.#evaluate(invocation, attributes, async ({ conditions }) => {
      try {
        return await checkMatchConditions(expressions, conditions, this.#pace);
      } catch (error) {
        if (error instanceof OutOfBudget) return { error: error.message };
        throw error;
      }
    });
    if (problem === undefined) return true;
    if (problem !== 'does not match') this.#addProblem({ policy, binding }, problem.error, 'Invalid');
    return false;
  }

  /** Applies the mutations in order. A mutation that fails changes nothing. @throws StatusError */
  async #mutate(invocation: Invocation, attributes: VersionedAttributes): Promise<ApiObject | undefined> {
    const { policy, binding, matched } = invocation;
    const { mutations, variables } = await policy.expressions(this.#pace);
    let { object } = attributes;
    for (const mutation of mutations) {
      const before = object;
      if (!before) return undefined;
      try {
        object = await this.#evaluate(invocation, { ...attributes, object: before }, ({ validations: values }) =>
          applyMutation(mutation, { object: before, matched, variables, values, context: this.#context, pace: this.#pace }),
        );
      } catch (error) {
        if (!(error instanceof MutationError)) throw error;
        this.#addProblem({ policy, binding }, error.message, 'Invalid');
      }
    }
    return object;
  }

  #evaluate<T>(
    { param }: Invocation,
    attributes: VersionedAttributes,
    evaluate: (variables: { readonly conditions: Variables; readonly validations: Variables }) => Promise<T>,
  ): Promise<T> {
    const shared = createSharedVariables(attributes);
    return evaluateWithLookups<AccessAttributes, AccessDecision, T>(
      (lookup) => evaluate(createPolicyVariables(attributes, shared, param, lookup)),
      (check) => this.#context.checkAccess(this.#request.user, check),
    );
  }

  /** Records an error, unless the policy ignores failures. */
  #addProblem(by: Pick<PolicyProblem, 'policy' | 'binding'>, message: string, reason: StatusReason): void {
    if (!by.policy.ignoresFailures) this.#problems.push({ ...by, message, reason });
  }

  /** The first error decides message and reason; the code is always 403, as upstream. */
  #rejection(first: PolicyProblem, object: ApiObject): StatusError {
    const { details } = createForbiddenError(this.#request, object, '');
    const causes = this.#problems.map((problem) => ({ message: problemText(problem) }));
    return new StatusError(403, first.reason, problemText(first), { ...details, causes });
  }
}

function problemText({ policy, binding, message }: PolicyProblem): string {
  const by = binding ? `policy '${policy.name}' with binding '${binding.name}'` : `policy ${JSON.stringify(policy.name)}`;
  return `${by} denied request: ${message}`;
}
