import { type Expression, isFailure, type MapValue, type Result } from '../../cel/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import type { User } from '../user.ts';
import { claimsValue, textsOf, userValue } from './expressions.ts';
import type { CheckedJwt } from './validate.ts';

/** Claims that do not map to a user; the message is for token reviews. */
export class ClaimsError extends Error {
  override readonly name = 'ClaimsError';
}

/** Maps a token's claims to a user and applies the validation rules (part 5.4). @throws ClaimsError */
export function mapClaimsToUser(claims: JsonObject, { settings, rules }: CheckedJwt, credentialIdKey: string): User {
  const mappings = settings.claimMappings;
  const value = claimsValue(claims);
  const user: User = {
    username: usernameOf(claims, value, { settings, rules }),
    groups: groupsOf(claims, value, { settings, rules }),
    uid: mappings.uid.claim === '' ? evaluateUid(rules.uid, value) : textClaim(claims, mappings.uid.claim, `uid claim`),
    extra: extraOf(claims, value, rules.extra, credentialIdKey),
  };
  for (const { claim, requiredValue } of settings.claimValidationRules) if (claim !== '') checkRequired(claims, claim, requiredValue);
  checkRules(rules.claimRules, 'claims', value, 'claim validation expression');
  checkRules(rules.userRules, 'user', userValue(user), 'user info validation rule');
  return user;
}

function usernameOf(claims: JsonObject, value: MapValue, { settings, rules }: CheckedJwt): string {
  if (rules.username) {
    const what = 'oidc: error evaluating username claim expression';
    const name = evaluate(rules.username, 'claims', value, what);
    if (typeof name !== 'string') throw new ClaimsError(`${what}: username claim expression must return a string`);
    if (name === '') throw new ClaimsError('oidc: empty username via CEL expression is not allowed');
    return name;
  }
  const { claim, prefix = '' } = settings.claimMappings.username;
  const name = textClaim(claims, claim, 'username claims');
  if (claim === 'email') requireVerified(claims);
  return `${prefix}${name}`;
}

function requireVerified({ email_verified: verified }: JsonObject): void {
  if (verified === undefined || verified === true) return;
  if (verified === false || verified === null) throw new ClaimsError('oidc: email not verified');
  throw new ClaimsError(`oidc: parse 'email_verified' claim: ${cannotUnmarshal(verified, 'bool')}`);
}

function groupsOf(claims: JsonObject, value: MapValue, { settings, rules }: CheckedJwt): readonly string[] {
  const { claim, prefix = '' } = settings.claimMappings.groups;
  if (claim !== '' && Object.hasOwn(claims, claim)) return groupsClaim(claims, claim).map((group) => `${prefix}${group}`);
  if (!rules.groups) return [];
  const what = 'oidc: error evaluating group claim expression';
  return textsFrom(evaluate(rules.groups, 'claims', value, what), what);
}

/** A list of strings, or one string. */
function groupsClaim(claims: JsonObject, claim: string): readonly string[] {
  const value = claims[claim] ?? null;
  if (value === null) return [];
  if (Array.isArray(value) && value.every((group) => typeof group === 'string' || group === null)) return value.map((group) => group ?? '');
  if (typeof value === 'string') return [value];
  throw new ClaimsError(`oidc: parse groups claim ${JSON.stringify(claim)}: ${cannotUnmarshal(value, 'string')}`);
}

function evaluateUid(expression: Expression | undefined, value: MapValue): string {
  if (!expression) return '';
  const what = 'oidc: error evaluating uid claim expression';
  const uid = evaluate(expression, 'claims', value, what);
  if (typeof uid !== 'string') throw new ClaimsError(`${what}: uid claim expression must return a string`);
  return uid;
}

function extraOf(
  { jti }: JsonObject,
  value: MapValue,
  mappings: CheckedJwt['rules']['extra'],
  credentialIdKey: string,
): Readonly<Record<string, readonly string[]>> {
  const extra: Record<string, readonly string[]> = {};
  if (typeof jti === 'string' && jti !== '') extra[credentialIdKey] = [`JTI=${jti}`];
  for (const [key, expression] of mappings) {
    const what = `oidc: error evaluating extra claim expression: ${expression.source}`;
    const texts = textsFrom(evaluate(expression, 'claims', value, what), what);
    if (texts.length > 0) extra[key] = texts;
  }
  return extra;
}

function textsFrom(result: Result, what: string): readonly string[] {
  const texts = textsOf(result);
  if (!texts) throw new ClaimsError(`${what}: expression must return a string or a list of strings`);
  return texts;
}

function evaluate(expression: Expression, variable: 'claims' | 'user', value: MapValue, what: string): Result {
  const { result } = expression.evaluate((name) => (name === variable ? value : undefined));
  if (isFailure(result)) throw new ClaimsError(`${what}: expression '${expression.source}' resulted in error: ${result.message}`);
  return result;
}

function checkRules(rules: CheckedJwt['rules']['claimRules'], variable: 'claims' | 'user', value: MapValue, what: string): void {
  const where = `oidc: error evaluating ${what}`;
  // Evaluates all before it checks any.
  const results = rules.map(([rule, message]) => ({ rule, message, holds: evaluate(rule, variable, value, where) }));
  for (const { rule, message, holds } of results) {
    if (typeof holds !== 'boolean') throw new ClaimsError(`${where}: validation expression must return a boolean`);
    if (!holds) throw new ClaimsError(`${where}: validation expression '${rule.source}' failed: ${message}`);
  }
}

function checkRequired(claims: JsonObject, claim: string, wanted: string): void {
  if (!Object.hasOwn(claims, claim)) throw new ClaimsError(`oidc: required claim ${claim} not present in ID token`);
  const value = claims[claim] ?? '';
  if (typeof value !== 'string') throw new ClaimsError(`oidc: parse claim ${claim}: ${cannotUnmarshal(value, 'string')}`);
  if (value !== wanted) throw new ClaimsError(`oidc: required claim ${claim} value does not match. Got = ${value}, want = ${wanted}`);
}

function textClaim(claims: JsonObject, claim: string, what: string): string {
  const problem = (why: string): ClaimsError => new ClaimsError(`oidc: parse ${what} ${JSON.stringify(claim)}: ${why}`);
  if (!Object.hasOwn(claims, claim)) throw problem('claim not present');
  const value = claims[claim] ?? '';
  if (typeof value !== 'string') throw problem(cannotUnmarshal(value, 'string'));
  return value;
}

function cannotUnmarshal(value: Json, type: string): string {
  const kind = Array.isArray(value) ? 'array' : isJsonObject(value) ? 'object' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${kind} into Go value of type ${type}`;
}
