import { type EventLimit, eventLimitTypes } from '../../admission/index.ts';
import {
  aggregateErrors,
  type FieldError,
  fieldErrorTexts,
  invalid,
  type JsonObject,
  notListed,
  objectsAt,
  type Product,
  textAt,
} from '../../meta/index.ts';
import { ConfigurationFileError, decodeConfiguration, int32, listOf, struct, text } from '../configuration/configuration-file.ts';
import { readPluginConfig } from './plugin-config.ts';

const kinds = { 'eventratelimit.admission.k8s.io/v1alpha1': 'Configuration' };
const shape = struct('Configuration', {
  kind: text,
  apiVersion: text,
  limits: listOf(struct('Limit', { type: text, qps: int32, burst: int32, cacheSize: int32 })),
});

/** Reads the settings of EventRateLimit, which it does not work without. @throws AdmissionConfigError with the real server's message */
export function readEventLimits(content: string | undefined, product: Product): readonly EventLimit[] {
  return readPluginConfig('EventRateLimit', () => {
    const config: JsonObject = content === undefined ? {} : decodeConfiguration(content, { kinds, shape, strict: false, product });
    const limits = objectsAt(config, 'limits');
    const errors = limits.flatMap((limit, index) => limitErrors(limit, `limits[${index}]`));
    if (limits.length === 0) errors.push(invalid('limits', config['limits'], 'must not be empty'));
    if (errors.length > 0) throw new ConfigurationFileError(aggregateErrors(fieldErrorTexts(errors)));
    return limits.map(
      (limit) =>
        ({
          type: textAt(limit, 'type'),
          qps: numberAt(limit, 'qps'),
          burst: numberAt(limit, 'burst'),
          cacheSize: numberAt(limit, 'cacheSize'),
        }) as EventLimit,
    );
  });
}

function limitErrors(limit: JsonObject, path: string): readonly FieldError[] {
  const type = textAt(limit, 'type');
  const check = (field: string, isWrong: boolean, why: string): readonly FieldError[] =>
    isWrong ? [invalid(`${path}.${field}`, numberAt(limit, field), why)] : [];
  const isKnown = eventLimitTypes.some((known) => known === type);
  return [
    ...(isKnown ? [] : [notListed(`${path}.type`, type, eventLimitTypes)]),
    ...check('burst', numberAt(limit, 'burst') <= 0, 'must be positive'),
    ...check('qps', numberAt(limit, 'qps') <= 0, 'must be positive'),
    ...check('cacheSize', type !== 'Server' && numberAt(limit, 'cacheSize') < 0, 'must not be negative'),
  ];
}

function numberAt(limit: JsonObject, field: string): number {
  return Number(limit[field] ?? 0);
}
