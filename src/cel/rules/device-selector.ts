import { estimateCost, type SizeOf } from '../cost/estimate.ts';
import { CompileError, compileExpression, type Expression } from '../expression.ts';
import { ProgramError } from '../language/constants.ts';
import { type Environment, environments, type StructFields } from '../language/environment.ts';
import { anyType, formatType, mapType, parseType, stringType, structType } from '../language/types.ts';

export interface SelectorProblem {
  readonly reason: 'invalid' | 'forbidden';
  readonly detail: string;
}

/** Maximum worst-case cost of an evaluation. */
const maxCost = 1_000_000;
/** Maximum number of attributes or capacities of a device; maximum bytes of a domain, an identifier, a driver name and a value. */
const [maxDetails, maxDomain, maxIdentifier, maxDriver, maxValue] = [32, 63, 32, 63, 64] as const;

const deviceType = structType('kubernetes.DRADevice');
const fields: Readonly<Record<string, ReturnType<StructFields>>> = {
  driver: stringType,
  attributes: mapType(stringType, mapType(stringType, anyType)),
  capacity: mapType(stringType, mapType(stringType, parseType('Quantity'))),
};

let environment: Environment | undefined;

export function deviceEnvironment(): Environment {
  environment ??= environments().extend('new', {
    variables: [['device', deviceType]],
    structs: [[deviceType.name, (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined)]],
    bindings: true,
  });
  return environment;
}

/** Limit on the total length of remembered selectors: more than those of one request. */
const maxRemembered = 8 * 1024 * 1024;

/** The problems of recently checked selectors. */
const remembered = new Map<string, SelectorProblem | undefined>();
let rememberedLength = 0;

/**
 * The error in a CEL device selector (driver, attributes, capacity), if any. Recent results are remembered, so that selectors that were
 * checked in steps cost nothing in the validation that follows.
 * Cf. k8s.io/dynamic-resource-allocation cel.
 */
export function selectorProblem(source: string): SelectorProblem | undefined {
  if (remembered.has(source)) return remembered.get(source);
  const problem = findProblem(source);
  if (rememberedLength + source.length > maxRemembered) {
    remembered.clear();
    rememberedLength = 0;
  }
  remembered.set(source, problem);
  rememberedLength += source.length;
  return problem;
}

function findProblem(source: string): SelectorProblem | undefined {
  const compiled = compile(source);
  if ('detail' in compiled) return compiled;
  const { type } = compiled;
  if (type.kind !== 'bool' && type.name !== anyType.name) {
    return { reason: 'invalid', detail: `must evaluate to bool or the unknown type, not ${formatType(type)}` };
  }
  const isTooComplex = estimateCost(compiled.checked, sizeOf).max > maxCost;
  return isTooComplex ? { reason: 'forbidden', detail: 'too complex, exceeds cost limit' } : undefined;
}

function compile(source: string): Expression | SelectorProblem {
  try {
    return compileExpression(source, deviceEnvironment());
  } catch (error) {
    if (error instanceof CompileError) return { reason: 'invalid', detail: `compilation failed: ${error.message}` };
    if (error instanceof ProgramError) return { reason: 'invalid', detail: `program instantiation failed: ${error.message}` };
    throw error;
  }
}

/** Attribute values have a maximum length whatever their name; capacities have unknown sizes. */
const sizeOf: SizeOf = ([root, member, domain, name, ...deeper]) => {
  if (root !== 'device' || deeper.length > 0) return undefined;
  if (member === undefined) return 0;
  if (member === 'driver') return domain === undefined ? maxDriver : undefined;
  if (member !== 'attributes' && member !== 'capacity') return undefined;
  if (domain === undefined) return maxDetails;
  if (domain === '@keys') return maxDomain;
  if (domain !== '@values') return undefined;
  if (name === undefined) return maxDetails;
  if (name === '@keys') return maxIdentifier;
  if (member === 'attributes') return maxValue;
  return name === '@values' ? 0 : undefined;
};
