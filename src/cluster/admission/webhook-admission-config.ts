import { aggregateErrors, fieldErrorTexts, invalid, type Product, textAt } from '../../meta/index.ts';
import { ConfigurationFileError, decodeConfiguration, struct, text } from '../configuration/configuration-file.ts';
import { readPluginConfig } from './plugin-config.ts';

const kinds = {
  'apiserver.config.k8s.io/v1': 'WebhookAdmissionConfiguration',
  'apiserver.config.k8s.io/v1alpha1': 'WebhookAdmission',
};
const shape = struct('WebhookAdmission', { kind: text, apiVersion: text, kubeConfigFile: text });

/** Reads the path of the kubeconfig with the users of webhooks. @throws AdmissionConfigError with the real server's message */
export function readWebhookAdmissionConfig(plugin: string, content: string, product: Product): string {
  return readPluginConfig(plugin, () => {
    const path = textAt(decodeConfiguration(content, { kinds, shape, strict: false, product }), 'kubeConfigFile');
    if (path.startsWith('/')) return path;
    const errors = [invalid('kubeConfigFile', path, 'must be an absolute file path')];
    throw new ConfigurationFileError(aggregateErrors(fieldErrorTexts(errors)));
  });
}
