import { isJsonObject, type JsonObject, textAt } from '../../meta/index.ts';

/** One issuer whose tokens are accepted, and what is made of them (part 5.4, `jwt[]`). Empty texts: not said. */
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
  /** PEM. */
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
  /** Undefined differs from empty: it has to be said that there is none. */
  readonly prefix: string | undefined;
}

export interface ExtraMapping {
  readonly key: string;
  readonly valueExpression: string;
}

/** The parts of an AuthenticationConfiguration. */
export interface AuthenticationSettings {
  readonly jwt: readonly JwtSettings[];
  /** Undefined: the flag decides. */
  readonly anonymous: { readonly enabled: boolean; readonly paths: readonly string[] } | undefined;
}

/** Of an AuthenticationConfiguration that was decoded by its shape. */
export function readAuthenticationSettings(configuration: JsonObject): AuthenticationSettings {
  const { anonymous } = configuration;
  return {
    jwt: itemsAt(configuration, 'jwt').map(readJwt),
    anonymous: isJsonObject(anonymous)
      ? { enabled: anonymous['enabled'] === true, paths: itemsAt(anonymous, 'conditions').map((condition) => textAt(condition, 'path')) }
      : undefined,
  };
}

function readJwt(jwt: JsonObject): JwtSettings {
  const [issuer, mappings] = [membersAt(jwt, 'issuer'), membersAt(jwt, 'claimMappings')];
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
    claimValidationRules: itemsAt(jwt, 'claimValidationRules').map((rule) => ({
      ...readMapping(rule),
      requiredValue: textAt(rule, 'requiredValue'),
      message: textAt(rule, 'message'),
    })),
    claimMappings: {
      username: readPrefixed(membersAt(mappings, 'username')),
      groups: readPrefixed(membersAt(mappings, 'groups')),
      uid: readMapping(membersAt(mappings, 'uid')),
      extra: itemsAt(mappings, 'extra').map((one) => ({ key: textAt(one, 'key'), valueExpression: textAt(one, 'valueExpression') })),
    },
    userValidationRules: itemsAt(jwt, 'userValidationRules').map((rule) => ({
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

function membersAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

function itemsAt(object: JsonObject, name: string): readonly JsonObject[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
