import { AuthenticationConfigError, type AuthenticationSettings, readAuthenticationSettings } from '../../authn/oidc/index.ts';
import type { Product } from '../../meta/index.ts';
import { bool, ConfigurationFileError, listOf, readConfigurationFile, struct, text } from '../configuration/configuration-file.ts';

const mapping = { claim: text, expression: text };

const configuration = struct('AuthenticationConfiguration', {
  kind: text,
  apiVersion: text,
  jwt: listOf(
    struct('JWTAuthenticator', {
      issuer: struct('Issuer', {
        url: text,
        discoveryURL: text,
        certificateAuthority: text,
        audiences: listOf(text),
        audienceMatchPolicy: text,
        egressSelectorType: text,
      }),
      claimValidationRules: listOf(struct('ClaimValidationRule', { ...mapping, requiredValue: text, message: text })),
      claimMappings: struct('ClaimMappings', {
        username: struct('PrefixedClaimOrExpression', { ...mapping, prefix: text }),
        groups: struct('PrefixedClaimOrExpression', { ...mapping, prefix: text }),
        uid: struct('ClaimOrExpression', mapping),
        extra: listOf(struct('ExtraMapping', { key: text, valueExpression: text })),
      }),
      userValidationRules: listOf(struct('UserValidationRule', { expression: text, message: text })),
    }),
  ),
  anonymous: struct('AnonymousAuthConfig', {
    enabled: bool,
    conditions: listOf(struct('AnonymousAuthCondition', { path: text })),
  }),
});

/** Parses `--authentication-config`; the settings are not validated yet. @throws AuthenticationConfigError */
export function readAuthenticationConfig(content: string, path: string, product: Product): AuthenticationSettings {
  const loadError = (why: string): AuthenticationConfigError =>
    new AuthenticationConfigError(`failed to load authentication configuration from file ${JSON.stringify(path)}: ${why}`);
  if (content === '') throw loadError('empty config data');
  try {
    return readAuthenticationSettings(
      readConfigurationFile(content, { kind: 'AuthenticationConfiguration', shape: configuration, product }),
    );
  } catch (error) {
    throw error instanceof ConfigurationFileError ? loadError(error.message) : error;
  }
}
