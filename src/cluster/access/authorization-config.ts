import { AuthorizationConfigError, type AuthorizerSettings, type FileProblem, readAuthorizationConfiguration } from '../../authz/index.ts';
import type { JsonObject, Product } from '../../meta/index.ts';
import { bool, ConfigurationFileError, listOf, readConfigurationFile, struct, text } from '../configuration/configuration-file.ts';

const configuration = struct('AuthorizationConfiguration', {
  kind: text,
  apiVersion: text,
  authorizers: listOf(
    struct('AuthorizerConfiguration', {
      type: text,
      name: text,
      webhook: struct('WebhookConfiguration', {
        authorizedTTL: text,
        cacheAuthorizedRequests: bool,
        unauthorizedTTL: text,
        cacheUnauthorizedRequests: bool,
        timeout: text,
        subjectAccessReviewVersion: text,
        matchConditionSubjectAccessReviewVersion: text,
        failurePolicy: text,
        connectionInfo: struct('WebhookConnectionInfo', { type: text, kubeConfigFile: text }),
        matchConditions: listOf(struct('WebhookMatchCondition', { expression: text })),
      }),
    }),
  ),
});

/** Parses `--authorization-config`. @throws AuthorizationConfigError with the real server's message */
export function readAuthorizationConfig(content: string, product: Product, fileProblem: FileProblem): readonly AuthorizerSettings[] {
  return readAuthorizationConfiguration(content === '' ? {} : decodeConfiguration(content, product), fileProblem);
}

function decodeConfiguration(content: string, product: Product): JsonObject {
  try {
    return readConfigurationFile(content, { kind: 'AuthorizationConfiguration', shape: configuration, product });
  } catch (error) {
    if (!(error instanceof ConfigurationFileError)) throw error;
    throw new AuthorizationConfigError(`failed to load AuthorizationConfiguration from file: ${error.message}`, { cause: error });
  }
}
