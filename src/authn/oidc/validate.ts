import type { Product } from '../../meta/index.ts';
import { duplicate, type FieldError, fieldErrorTexts, invalid, parseUrl, required, tooMany, UrlError } from '../../meta/index.ts';
import { type ExpressionCompiler, expressionCompiler } from './expressions.ts';
import { type CompiledRules, compileRules } from './rules.ts';
import type { AuthenticationSettings, IssuerSettings, JwtSettings } from './settings.ts';

/** An invalid configuration; the message is upstream's. */
export class AuthenticationConfigError extends Error {
  override readonly name = 'AuthenticationConfigError';
}

export interface ValidationOptions {
  readonly product: Product;
  /** The error in PEM certificates; undefined when they are valid. */
  readonly certificateProblem: (pem: string) => string | undefined;
}

/** An issuer's settings with compiled expressions. */
export interface CheckedJwt {
  readonly settings: JwtSettings;
  readonly rules: CompiledRules;
}

const maxIssuers = 64;
const matchAny = 'MatchAny';

/** Validates by the rules of part 5.4 and collects all errors. @throws AuthenticationConfigError */
export function validateAuthenticationConfiguration(
  { jwt, anonymous }: AuthenticationSettings,
  options: ValidationOptions,
): readonly CheckedJwt[] {
  const compiler = expressionCompiler();
  if (jwt.length > maxIssuers) throw createConfigError([tooMany('jwt', jwt.length, maxIssuers)]);
  const [issuers, discoveries] = [new Set<string>(), new Set<string>()];
  const found = jwt.map((settings, index) => {
    const at = `jwt[${index}]`;
    const checked = checkJwt(settings, at, compiler, options);
    const { url, discoveryURL } = settings.issuer;
    const errors = [
      ...checked.errors,
      ...(issuers.has(url) ? [duplicate(`${at}.issuer.url`, url)] : []),
      ...(discoveryURL !== '' && discoveries.has(discoveryURL) ? [duplicate(`${at}.issuer.discoveryURL`, discoveryURL)] : []),
    ];
    issuers.add(url);
    discoveries.add(discoveryURL);
    return { settings, rules: checked.rules, errors };
  });
  const errors = found.flatMap((one) => one.errors);
  if (anonymous && !anonymous.enabled && anonymous.paths.length > 0) {
    const conditions = anonymous.paths.map((path) => ({ Path: path }));
    errors.push(invalid('anonymous.conditions', conditions, 'enabled should be set to true when conditions are defined'));
  }
  if (errors.length > 0) throw createConfigError(errors);
  return found;
}

/** Rejects external issuers with the URL of the service account issuer. @throws AuthenticationConfigError */
export function rejectDisallowedIssuers(jwt: readonly CheckedJwt[], own: readonly string[]): void {
  for (const { settings } of jwt) {
    if (!own.includes(settings.issuer.url)) continue;
    const why = `URL must not overlap with disallowed issuers: [${[...own].sort().join(' ')}]`;
    const { field, message } = invalid('issuer.url', settings.issuer.url, why);
    throw new AuthenticationConfigError(`${field}: ${message}`);
  }
}

function createConfigError(errors: readonly FieldError[]): AuthenticationConfigError {
  const unique = [...new Set(fieldErrorTexts(errors))];
  const text = unique.length === 1 ? unique[0] : `[${unique.join(', ')}]`;
  return new AuthenticationConfigError(`invalid authentication configuration: ${text}`);
}

function checkJwt(
  settings: JwtSettings,
  at: string,
  compiler: ExpressionCompiler,
  options: ValidationOptions,
): ReturnType<typeof compileRules> {
  const issuer = issuerErrors(settings.issuer, `${at}.issuer`, options.certificateProblem);
  const { rules, errors } = compileRules(settings, at, compiler, options.product);
  return { rules, errors: [...issuer, ...errors] };
}

function issuerErrors(
  issuer: IssuerSettings,
  at: string,
  certificateProblem: ValidationOptions['certificateProblem'],
): readonly FieldError[] {
  const { url, discoveryURL, certificateAuthority, egressSelectorType } = issuer;
  const authority = certificateAuthority === '' ? undefined : certificateProblem(certificateAuthority);
  return [
    ...(url === '' ? [required(`${at}.url`, '')] : urlErrors(url, `${at}.url`)),
    ...discoveryErrors(url, discoveryURL, `${at}.discoveryURL`),
    ...audienceErrors(issuer, at),
    ...(authority === undefined ? [] : [invalid(`${at}.certificateAuthority`, '<omitted>', authority)]),
    ...(['', 'controlplane', 'cluster'].includes(egressSelectorType)
      ? []
      : [invalid(`${at}.egressSelectorType`, egressSelectorType, 'egress selector must be either controlplane or cluster')]),
  ];
}

function discoveryErrors(url: string, discovery: string, at: string): readonly FieldError[] {
  if (discovery === '') return [];
  const trimSlashes = (text: string): string => text.replace(/(?<!\/)\/+$/, '');
  const same = url !== '' && trimSlashes(url) === trimSlashes(discovery);
  return [...(same ? [invalid(at, discovery, 'discoveryURL must be different from URL')] : []), ...urlErrors(discovery, at)];
}

function urlErrors(text: string, at: string): readonly FieldError[] {
  try {
    const { scheme, hasUser, query, fragment } = parseUrl(text);
    const problems = [
      scheme === 'https' ? '' : 'URL scheme must be https',
      hasUser ? 'URL must not contain a username or password' : '',
      query === '' ? '' : 'URL must not contain a query',
      fragment === '' ? '' : 'URL must not contain a fragment',
    ];
    return problems.filter((problem) => problem !== '').map((problem) => invalid(at, text, problem));
  } catch (error) {
    if (error instanceof UrlError) return [invalid(at, text, error.message)];
    throw error;
  }
}

function audienceErrors({ audiences, audienceMatchPolicy }: IssuerSettings, issuer: string): readonly FieldError[] {
  const at = `${issuer}.audiences`;
  if (audiences.length === 0) return [required(at, `at least one ${at} is required`)];
  const errors = audiences.flatMap((audience, index) => [
    ...(audience === '' ? [required(`${at}[${index}]`, '')] : []),
    ...(audiences.indexOf(audience) < index ? [duplicate(`${at}[${index}]`, audience)] : []),
  ]);
  const policy = (why: string): FieldError =>
    invalid(`${issuer}.audienceMatchPolicy`, audienceMatchPolicy, `audienceMatchPolicy must be ${why}`);
  if (audiences.length > 1 && audienceMatchPolicy !== matchAny) errors.push(policy('MatchAny for multiple audiences'));
  if (audiences.length === 1 && audienceMatchPolicy !== '' && audienceMatchPolicy !== matchAny)
    errors.push(policy('empty or MatchAny for single audience'));
  return errors;
}
