import type { ClusterTolerations } from '../../admission/index.ts';
import { fieldErrorTexts, type JsonObject, objectsAt, type Product } from '../../meta/index.ts';
import { validateTolerations } from '../../schema/index.ts';
import { ConfigurationFileError, decodeConfiguration, int64, listOf, struct, text } from '../configuration/configuration-file.ts';
import { readPluginConfig } from './plugin-config.ts';

const kinds = { 'podtolerationrestriction.admission.k8s.io/v1alpha1': 'Configuration' };
const toleration = struct('Toleration', { key: text, operator: text, value: text, effect: text, tolerationSeconds: int64 }, 'core/v1');
const tolerations = listOf(toleration);
const shape = struct('Configuration', { kind: text, apiVersion: text, default: tolerations, whitelist: tolerations });

/** Reads the settings of PodTolerationRestriction. @throws AdmissionConfigError with the real server's message */
export function readClusterTolerations(content: string, product: Product): ClusterTolerations {
  return readPluginConfig('PodTolerationRestriction', () => {
    const config = decodeConfiguration(content, { kinds, shape, strict: false, product });
    const [defaults, whitelist] = [tolerationsAt(config, 'default'), tolerationsAt(config, 'whitelist')];
    const errors = [
      ...validateTolerations({ tolerations: defaults }, 'podtolerationrestriction.default'),
      ...validateTolerations({ tolerations: whitelist }, 'podtolerationrestriction.whitelist'),
    ];
    if (errors.length === 0) return { defaults, whitelist };
    throw new ConfigurationFileError(`invalid config: [${fieldErrorTexts(errors).join(' ')}]`);
  });
}

function tolerationsAt(config: JsonObject, list: string): ClusterTolerations['defaults'] {
  return objectsAt(config, list);
}
