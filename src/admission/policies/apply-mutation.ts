import { Failure, isFailure, ListValue, misnamedTypes, patchJsonOf, StructValue, type Value, type Variables } from '../../cel/index.ts';
import type { Pace } from '../../env/index.ts';
import { type ApiObject, isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import { applyJsonPatch, decodeLooseJsonPatch, PatchError, PatchTestError } from '../../patch/index.ts';
import type { ResourceKind } from '../admission.ts';
import { Evaluation, OutOfBudget, policyBudget } from './evaluation.ts';
import type { Mutation } from './mutating-policy.ts';
import type { CompiledSource } from './policy.ts';
import type { PolicyContext } from './policy-context.ts';

/** A mutation that failed; the failure policy applies. The message is upstream's. */
export class MutationError extends Error {
  override readonly name = 'MutationError';
}

export interface MutationInput {
  readonly object: ApiObject;
  /** The version of the object. */
  readonly matched: ResourceKind;
  readonly variables: ReadonlyMap<string, CompiledSource>;
  readonly values: Variables;
  readonly context: PolicyContext;
  readonly pace: Pace;
}

/**
 * The object after one mutation. Cf. upstream plugin/policy/mutating/patch.
 * @throws MutationError, or StatusError for a result that cannot be decoded
 */
export async function applyMutation(mutation: Mutation, input: MutationInput): Promise<ApiObject> {
  const value = evaluateMutation(mutation, input);
  try {
    return mutation.patchType === 'JSONPatch' ? applyPatchValue(value, input) : await applyConfigurationValue(value, input);
  } catch (error) {
    if (error instanceof PatchError) {
      const what = mutation.patchType === 'JSONPatch' ? 'JSON Patch' : 'error applying patch';
      throw new MutationError(`${what}: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

function evaluateMutation(mutation: Mutation, { variables, values }: MutationInput): Value {
  if (typeof mutation.compiled === 'string') throw new MutationError(mutation.compiled);
  try {
    const result = new Evaluation(variables, values, policyBudget).run(mutation);
    if (isFailure(result)) throw new MutationError(result.message);
    return result;
  } catch (error) {
    if (error instanceof OutOfBudget) throw new MutationError(error.message, { cause: error });
    throw error;
  }
}

/** Applies a list of JSONPatch operations. A `test` that fails leaves the object as it is. @throws PatchError */
function applyPatchValue(value: Value, { object, matched, context }: MutationInput): ApiObject {
  if (!(value instanceof ListValue)) throw new MutationError('type mismatch: JSONPatchType.expression should evaluate to array');
  const operations = decodeLooseJsonPatch(value.values.map(operationOf));
  try {
    return context.decodeStrictly(applyJsonPatch(object, operations) as JsonObject, matched);
  } catch (error) {
    if (error instanceof PatchTestError) return object;
    throw error;
  }
}

function operationOf(value: Value): JsonObject {
  if (!(value instanceof StructValue))
    throw new MutationError('type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch');
  const operand = value.fields.get('value');
  if (operand instanceof StructValue) requireTypeNames(operand);
  const json = patchJsonOf(value);
  if (json instanceof Failure)
    throw new MutationError(`JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${json.message}`);
  const { from = '', ...operation } = json as JsonObject;
  return from === '' ? operation : { ...operation, from };
}

/** Merges an apply configuration `Object{...}`. @throws PatchError */
async function applyConfigurationValue(value: Value, { object, matched, context, pace }: MutationInput): Promise<ApiObject> {
  if (!(value instanceof StructValue)) throw new MutationError('unsupported return type from ApplyConfiguration expression');
  requireTypeNames(value);
  const json: Json | Failure = patchJsonOf(value);
  if (json instanceof Failure || !isJsonObject(json)) throw new MutationError('invalid return type: *errors.errorString');
  const { apiVersion, kind } = object;
  return context.applyConfiguration(object, { ...json, apiVersion, kind }, matched, pace);
}

function requireTypeNames(value: StructValue): void {
  const wrong = misnamedTypes(value, 'Object');
  if (wrong.length > 0) throw new MutationError(`type mismatch: ${wrong.join('\n')}`);
}
