import type { Expression } from '../../cel/index.ts';
import { duplicate, type FieldError, invalid, type Product, required, validateDomainPrefixedPath } from '../../meta/index.ts';
import { type ExpressionCompiler, ExpressionError } from './expressions.ts';
import type { ClaimRule, ExtraMapping, JwtSettings, Mapping, PrefixedMapping, UserRule } from './settings.ts';

/** The compiled expressions of one issuer. */
export interface CompiledRules {
  readonly username: Expression | undefined;
  readonly groups: Expression | undefined;
  readonly uid: Expression | undefined;
  readonly extra: readonly (readonly [key: string, value: Expression])[];
  readonly claimRules: readonly (readonly [rule: Expression, message: string])[];
  readonly userRules: readonly (readonly [rule: Expression, message: string])[];
}

export interface CompilationResult {
  readonly rules: CompiledRules;
  readonly errors: readonly FieldError[];
}

/** Compiles the rules of one issuer and collects all errors, in upstream's order. */
export function compileRules(settings: JwtSettings, at: string, compiler: ExpressionCompiler, product: Product): CompilationResult {
  return new RuleCompiler(at, compiler, product).compileAll(settings);
}

class RuleCompiler {
  readonly #at: string;
  readonly #compiler: ExpressionCompiler;
  readonly #product: Product;
  readonly #errors: FieldError[] = [];

  constructor(at: string, compiler: ExpressionCompiler, product: Product) {
    this.#at = at === '' ? '' : `${at}.`;
    this.#compiler = compiler;
    this.#product = product;
  }

  compileAll({ claimValidationRules, claimMappings, userValidationRules }: JwtSettings): CompilationResult {
    const claimRules = this.#compileClaimRules(claimValidationRules);
    const at = `${this.#at}claimMappings`;
    const username = this.#compilePrefixed(claimMappings.username, `${at}.username`, true);
    const groups = this.#compilePrefixed(claimMappings.groups, `${at}.groups`, false);
    const uid = this.#compileUid(claimMappings.uid, `${at}.uid`);
    const extra = this.#compileExtra(claimMappings.extra, `${at}.extra`);
    const isVerified = [...claimRules.map(([rule]) => rule), username, ...extra.map(([, value]) => value)].some((expression) =>
      expression?.selects('claims', 'email_verified'),
    );
    if (username?.selects('claims', 'email') && !isVerified) this.#report(unverifiedEmail(at, claimMappings.username.expression));
    const userRules = this.#compileUserRules(userValidationRules);
    return { rules: { username, groups, uid, extra, claimRules, userRules }, errors: this.#errors };
  }

  #report(...errors: readonly FieldError[]): void {
    this.#errors.push(...errors);
  }

  /** Undefined when compilation fails. */
  #compile(source: string, at: string, compile: (source: string) => Expression): Expression | undefined {
    try {
      return compile(source);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.#report(invalid(at, source, error.message));
      return undefined;
    }
  }

  #compileClaimRules(rules: readonly ClaimRule[]): CompiledRules['claimRules'] {
    const [claims, expressions] = [new Set<string>(), new Set<string>()];
    return rules.flatMap((rule, index) => {
      const at = `${this.#at}claimValidationRules[${index}]`;
      const { claim, expression } = rule;
      if (claim !== '' && expression !== '') this.#report(invalid(at, claim, "claim and expression can't both be set"));
      else if (claim !== '') this.#checkClaimRule(rule, at, claims);
      else if (expression === '') this.#report(required(at, 'claim or expression is required'));
      else return this.#compileExpressionRule(rule, at, expressions);
      return [];
    });
  }

  #checkClaimRule({ claim, message }: ClaimRule, at: string, seen: Set<string>): void {
    if (message !== '') this.#report(invalid(`${at}.message`, message, 'may not be specified when claim is set'));
    if (seen.has(claim)) this.#report(duplicate(`${at}.claim`, claim));
    seen.add(claim);
  }

  #compileExpressionRule({ expression, requiredValue, message }: ClaimRule, at: string, seen: Set<string>): CompiledRules['claimRules'] {
    if (requiredValue !== '') this.#report(invalid(`${at}.requiredValue`, requiredValue, 'may not be specified when expression is set'));
    if (seen.has(expression)) {
      this.#report(duplicate(`${at}.expression`, expression));
      return [];
    }
    seen.add(expression);
    const compiled = this.#compile(expression, `${at}.expression`, this.#compiler.claimRule);
    return compiled ? [[compiled, message]] : [];
  }

  #compilePrefixed({ claim, expression, prefix }: PrefixedMapping, at: string, isRequired: boolean): Expression | undefined {
    if (claim !== '' && expression !== '') {
      this.#report(invalid(at, '', "claim and expression can't both be set"));
    } else if (expression !== '') {
      if (prefix !== undefined) this.#report(invalid(`${at}.prefix`, prefix, 'may not be specified when expression is set'));
      return this.#compile(expression, `${at}.expression`, this.#compiler.mapping);
    } else if (claim !== '') {
      const why = 'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
      if (prefix === undefined) this.#report(required(`${at}.prefix`, why));
    } else if (isRequired) {
      this.#report(required(at, 'claim or expression is required'));
    }
    return undefined;
  }

  #compileUid({ claim, expression }: Mapping, at: string): Expression | undefined {
    if (expression === '') return undefined;
    if (claim === '') return this.#compile(expression, `${at}.expression`, this.#compiler.mapping);
    this.#report(invalid(at, '', "claim and expression can't both be set"));
    return undefined;
  }

  #compileExtra(mappings: readonly ExtraMapping[], path: string): CompiledRules['extra'] {
    const seen = new Set<string>();
    return mappings.flatMap(({ key, valueExpression }, index): CompiledRules['extra'] => {
      const at = `${path}[${index}]`;
      this.#report(...validateDomainPrefixedPath(`${at}.key`, key));
      if (key !== key.toLowerCase()) this.#report(invalid(`${at}.key`, key, 'must be lowercase'));
      if (this.#isReserved(key))
        this.#report(invalid(`${at}.key`, key, 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use'));
      if (seen.has(key)) {
        this.#report(duplicate(`${at}.key`, key));
        return [];
      }
      seen.add(key);
      if (valueExpression === '') {
        this.#report(required(`${at}.valueExpression`, ''));
        return [];
      }
      const compiled = this.#compile(valueExpression, `${at}.valueExpression`, this.#compiler.mapping);
      return compiled ? [[key, compiled]] : [];
    });
  }

  #isReserved(key: string): boolean {
    const [domain = '', ...path] = key.split('/');
    const own = ['kubernetes.io/', 'k8s.io/'].map((name) => this.#product.rename(name).slice(0, -1));
    return path.length > 0 && own.some((name) => domain === name || domain.endsWith(`.${name}`));
  }

  #compileUserRules(rules: readonly UserRule[]): CompiledRules['userRules'] {
    const seen = new Set<string>();
    return rules.flatMap(({ expression, message }, index): CompiledRules['userRules'] => {
      const at = `${this.#at}userValidationRules[${index}].expression`;
      if (expression === '' || seen.has(expression)) {
        this.#report(expression === '' ? required(at, '') : duplicate(at, expression));
        return [];
      }
      seen.add(expression);
      const compiled = this.#compile(expression, at, this.#compiler.userRule);
      return compiled ? [[compiled, message]] : [];
    });
  }
}

function unverifiedEmail(at: string, expression: string): FieldError {
  const where = 'claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression';
  const why = `claims.email_verified must be used in ${where} when claims.email is used in claimMappings.username.expression`;
  return invalid(`${at}.username.expression`, expression, why);
}
