import { isJsonObject, type JsonObject, objectsAt, recordAt, textAt } from '../../meta/index.ts';

/** One accepted issuer with its claim mappings (part 5.4, `jwt[]`). Empty strings stand for unset fields. */
export interface JwtSettings {
  readonly issuer: IssuerSettings;
  readonly claimValidationRules: readonly ClaimRule[];
  readonly claimMappings: {
    readonly username: PrefixedMapping;
    readonly groups: PrefixedMapping;
    readonly uid: Mapping;
    readonly extra: readonly ExtraMapping[];
  };
  readonly userValidationRules: readonly UserRule[];
}

export interface IssuerSettings {
  readonly url: string;
  readonly discoveryURL: string;
  /** CA bundle as PEM. */
  readonly certificateAuthority: string;
  readonly audiences: readonly string[];
  readonly audienceMatchPolicy: string;
  readonly egressSelectorType: string;
}

export interface ClaimRule {
  readonly claim: string;
  readonly requiredValue: string;
  readonly expression: string;
  readonly message: string;
}

export interface UserRule {
  readonly expression: string;
  readonly message: string;
}

export interface Mapping {
  readonly claim: string;
  readonly expression: string;
}

export interface PrefixedMapping extends Mapping {
  /** Undefined and empty differ: an empty prefix must be explicit. */
  readonly prefix: string | undefined;
}

export interface ExtraMapping {
  readonly key: string;
  readonly valueExpression: string;
}

/** An AuthenticationConfiguration. */
export interface AuthenticationSettings {
  readonly jwt: readonly JwtSettings[];
  /** Undefined: the flag applies. */
  readonly anonymous: { readonly enabled: boolean; readonly paths: readonly string[] } | undefined;
}

/** Reads a decoded AuthenticationConfiguration. */
export function readAuthenticationSettings(configuration: JsonObject): AuthenticationSettings {
  const { anonymous } = configuration;
  return {
    jwt: objectsAt(configuration, 'jwt').map(readJwt),
    anonymous: isJsonObject(anonymous)
      ? { enabled: anonymous['enabled'] === true, paths: objectsAt(anonymous, 'conditions').map((condition) => textAt(condition, 'path')) }
      : undefined,
  };
}

function readJwt(jwt: JsonObject): JwtSettings {
  const [issuer, mappings] = [recordAt(jwt, 'issuer'), recordAt(jwt, 'claimMappings')];
  const { audiences } = issuer;
  return {
    issuer: {
      url: textAt(issuer, 'url'),
      discoveryURL: textAt(issuer, 'discoveryURL'),
      certificateAuthority: textAt(issuer, 'certificateAuthority'),
      audiences: Array.isArray(audiences) ? audiences.map(String) : [],
      audienceMatchPolicy: textAt(issuer, 'audienceMatchPolicy'),
      egressSelectorType: textAt(issuer, 'egressSelectorType'),
    },
    claimValidationRules: objectsAt(jwt, 'claimValidationRules').map((rule) => ({
      ...readMapping(rule),
      requiredValue: textAt(rule, 'requiredValue'),
      message: textAt(rule, 'message'),
    })),
    claimMappings: {
      username: readPrefixed(recordAt(mappings, 'username')),
      groups: readPrefixed(recordAt(mappings, 'groups')),
      uid: readMapping(recordAt(mappings, 'uid')),
      extra: objectsAt(mappings, 'extra').map((one) => ({ key: textAt(one, 'key'), valueExpression: textAt(one, 'valueExpression') })),
    },
    userValidationRules: objectsAt(jwt, 'userValidationRules').map((rule) => ({
      expression: textAt(rule, 'expression'),
      message: textAt(rule, 'message'),
    })),
  };
}

function readMapping(mapping: JsonObject): Mapping {
  return { claim: textAt(mapping, 'claim'), expression: textAt(mapping, 'expression') };
}

function readPrefixed(mapping: JsonObject): PrefixedMapping {
  const { prefix } = mapping;
  return { ...readMapping(mapping), prefix: typeof prefix === 'string' ? prefix : undefined };
}
