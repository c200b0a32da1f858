import type { LimitedResource } from '../../admission/index.ts';
import { aggregateErrors, fieldErrorTexts, objectsAt, type Product, required, textAt, textsAt } from '../../meta/index.ts';
import { ConfigurationFileError, decodeConfiguration, listOf, struct, text } from '../configuration/configuration-file.ts';
import { readPluginConfig } from './plugin-config.ts';

const kinds = {
  'apiserver.config.k8s.io/v1': 'ResourceQuotaConfiguration',
  'resourcequota.admission.k8s.io/v1beta1': 'Configuration',
  'resourcequota.admission.k8s.io/v1alpha1': 'Configuration',
};
const scope = struct('ScopedResourceSelectorRequirement', { scopeName: text, operator: text, values: listOf(text) });
const limited = struct('LimitedResource', { apiGroup: text, resource: text, matchContains: listOf(text), matchScopes: listOf(scope) });
const shape = struct('Configuration', { kind: text, apiVersion: text, limitedResources: listOf(limited) });

/** Reads the settings of ResourceQuota. @throws AdmissionConfigError with the real server's message */
export function readLimitedResources(content: string, product: Product): readonly LimitedResource[] {
  return readPluginConfig('ResourceQuota', () => {
    const resources = objectsAt(decodeConfiguration(content, { kinds, shape, strict: true, product }), 'limitedResources');
    const errors = resources.flatMap((one, index) =>
      textAt(one, 'resource') === '' ? [required(`limitedResources[${index}].resource`, '')] : [],
    );
    if (errors.length > 0) throw new ConfigurationFileError(aggregateErrors(fieldErrorTexts(errors)));
    return resources.map((one) => ({
      apiGroup: textAt(one, 'apiGroup'),
      resource: textAt(one, 'resource'),
      matchContains: textsAt(one, 'matchContains'),
      matchScopes: objectsAt(one, 'matchScopes').map((match) => ({
        scopeName: textAt(match, 'scopeName'),
        operator: textAt(match, 'operator'),
        values: textsAt(match, 'values'),
      })),
    }));
  });
}
