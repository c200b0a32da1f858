import type { Pace } from '../../env/index.ts';
import { estimateCost, type SizeOf } from '../cost/estimate.ts';
import { CompileError, compileExpression, type Expression } from '../expression.ts';
import { ProgramError } from '../language/constants.ts';
import type { EnvironmentSet, EnvironmentType } from '../language/environment.ts';
import { optionalType } from '../language/types.ts';
import type { SchemaNode, ValidationRule } from '../schema/node.ts';
import { type DeclaredType, namedType, sizesFrom } from '../schema/types.ts';
import { normalizedFieldPath } from './field-path.ts';

/** A compiled rule of a schema node; either part may have failed. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Undefined on failure, and for an empty rule. */
  readonly program: Expression | undefined;
  readonly error: string | undefined;
  readonly usesOldSelf: boolean;
  /** Maximum cost of one evaluation. */
  readonly maxCost: number;
  readonly message: Expression | undefined;
  readonly messageError: string | undefined;
  readonly messageMaxCost: number;
  /** Relative to the node: `.spec.name`. */
  readonly fieldPath: string;
}

/** Compiles the rules of one schema node, without those of its fields. */
export async function compileRules(
  schema: SchemaNode,
  declared: DeclaredType,
  environments: EnvironmentSet,
  environmentTypeOf: (expression: string) => EnvironmentType,
  pace: Pace,
): Promise<readonly CompiledRule[]> {
  const { type, structs } = namedType(declared, 'selfType');
  const sizeOf = sizesFrom(declared);
  const environmentOf = (source: string, { optionalOldSelf }: ValidationRule) => {
    const oldSelf = optionalOldSelf ? optionalType(type) : type;
    return environments.extend(environmentTypeOf(source), { variables: Object.entries({ self: type, oldSelf }), structs });
  };
  const compileRule = (rule: ValidationRule): CompiledRule => {
    const compile = (source: string, kind: Kind) => compileAs(source, kind, () => compileExpression(source, environmentOf(source, rule)));
    const main = rule.rule.trim() === '' ? notCompiled : compile(rule.rule, ruleKind);
    const message = main.program && rule.messageExpression ? compile(rule.messageExpression, messageKind) : notCompiled;
    return {
      rule,
      program: main.program,
      error: main.error,
      usesOldSelf: main.program?.uses('oldSelf') ?? false,
      maxCost: maxEvaluationCost(main.program, sizeOf),
      message: message.program,
      messageError: message.error,
      messageMaxCost: maxEvaluationCost(message.program, sizeOf),
      fieldPath: rule.fieldPath ? normalizedFieldPath(rule.fieldPath, schema) : '',
    };
  };
  const rules: CompiledRule[] = [];
  for (const rule of schema['x-kubernetes-validations'] ?? []) {
    const pause = pace();
    if (pause) await pause;
    rules.push(compileRule(rule));
  }
  return rules;
}

function maxEvaluationCost(program: Expression | undefined, sizeOf: SizeOf): number {
  return program ? estimateCost(program.checked, sizeOf).max : 0;
}

interface Kind {
  readonly type: string;
  readonly compile: string;
  readonly start: string;
  readonly wrong: string;
}

const ruleKind: Kind = {
  type: 'bool',
  compile: 'compilation failed',
  start: 'program instantiation failed',
  wrong: 'cel expression must evaluate to a bool',
};

const messageKind: Kind = {
  type: 'string',
  compile: 'messageExpression compilation failed',
  start: 'messageExpression instantiation failed',
  wrong: 'messageExpression must evaluate to a string',
};

interface Compiled {
  readonly program: Expression | undefined;
  readonly error: string | undefined;
}

const notCompiled: Compiled = { program: undefined, error: undefined };

function compileAs(source: string, kind: Kind, compile: () => Expression): Compiled {
  try {
    const program = compile();
    return program.type.kind === kind.type ? { program, error: undefined } : { program: undefined, error: kind.wrong };
  } catch (error) {
    if (error instanceof CompileError) return { program: undefined, error: `${kind.compile}: ${error.message}` };
    if (error instanceof ProgramError) return { program: undefined, error: `${kind.start}: ${error.message}` };
    throw new Error(`cannot compile ${source}`, { cause: error });
  }
}
