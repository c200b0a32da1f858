import {
  CompileError,
  compileExpression,
  declaredType,
  type Environment,
  environments,
  type NamedType,
  namedType,
  ProgramError,
  type Type,
  typeCheckingEnvironment,
} from '../../cel/index.ts';
import type { admissionregistrationv1 } from '../../schema/api/index.ts';
import type { KindSchema } from './schema-resolver.ts';

export interface PolicyKinds {
  /** The kinds that the policy matches. */
  readonly kinds: readonly KindSchema[];
  /** The kind of its params; undefined without a schema. */
  readonly params: KindSchema | undefined;
  readonly nowMs: number;
}

type Spec = Pick<admissionregistrationv1.ValidatingAdmissionPolicySpec, 'validations' | 'variables'>;

/** The warnings of the expressions of a policy. Cf. TypeChecker.Check. */
export function checkPolicy(
  { validations = [], variables = [] }: Spec,
  { kinds, params, nowMs }: PolicyKinds,
): readonly admissionregistrationv1.ExpressionWarning[] {
  const paramsType = params && typeOf(params, nowMs);
  const checked = kinds.flatMap((one) => {
    const object = typeOf(one, nowMs);
    return object ? [{ kind: one.kind, environment: withVariables(object, paramsType, variables) }] : [];
  });
  return validations.flatMap(({ expression, messageExpression = '' }, index) => {
    const fieldRef = `spec.validations[${index}]`;
    const expressions = { expression, ...(messageExpression === '' ? {} : { messageExpression }) };
    return Object.entries(expressions).flatMap(([field, source]) => {
      const warning = checked.flatMap(({ kind, environment }) => {
        const { issues } = check(source, environment);
        return issues === undefined ? [] : `${kind.group}/${kind.version}, Kind=${kind.kind}: ${issues}\n`;
      });
      return warning.length === 0 ? [] : [{ fieldRef: `${fieldRef}.${field}`, warning: warning.join('\n') }];
    });
  });
}

/** The CEL type of a kind. Its name is unique, as upstream's generateUniqueTypeName makes it. */
function typeOf({ kind, schema }: KindSchema, nowMs: number): NamedType | undefined {
  const declared = declaredType(schema, true);
  return declared && namedType(declared, `${kind.kind}${(nowMs % 1_000) * 1_000_000}`);
}

/** An expression can use the variables before it. */
function withVariables(object: NamedType, params: NamedType | undefined, variables: NonNullable<Spec['variables']>): Environment {
  const known = environments();
  const types = new Map<string, Type | undefined>();
  const environment = typeCheckingEnvironment(known, { object, params, variables: types });
  for (const { name, expression } of variables) types.set(name, check(expression, environment).type);
  return environment;
}

function check(source: string, environment: Environment): { readonly type?: Type; readonly issues?: string } {
  try {
    return { type: compileExpression(source, environment).type };
  } catch (error) {
    if (error instanceof CompileError) return { issues: error.message };
    // The type check includes no program.
    if (error instanceof ProgramError) return {};
    throw error;
  }
}
