import { collectErrors, type FieldError, forbiddenField, invalid, isDns1035Label, required } from '../../../meta/index.ts';
import type { apiextensionsv1 } from '../../api/index.ts';
import { type Errors, none, validateRequiredOneOf } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import { validateClientConfig } from '../others/webhooks.ts';
import { caBundleProblem } from './ca-bundle.ts';

const reviewVersions = ['v1', 'v1beta1'];

type Definition = Decoded<apiextensionsv1.CustomResourceDefinition>;

/** Whether a conversion webhook has a CA bundle that cannot be loaded; its definition is not established. */
export function hasInvalidCaBundle({ spec }: Definition): boolean {
  return caBundleProblem(spec?.conversion?.webhook?.clientConfig?.caBundle ?? '') !== undefined;
}

/**
 * Conversion between versions. A CA bundle is checked once the definition is established, unless the old one is invalid as well. Cf.
 * upstream validateCustomResourceConversion.
 */
export function validateConversion(spec: Decoded<apiextensionsv1.CustomResourceDefinitionSpec>, old: Definition | undefined): Errors {
  const given = spec.conversion;
  if (!given) return none;
  const strategy = given.strategy ?? '';
  const webhook = given.webhook;
  const config = webhook?.clientConfig;
  const versions = webhook?.conversionReviewVersions ?? [];
  const path = 'spec.conversion';
  const pruned = 'must be None if spec.preserveUnknownFields is true';
  const known = [
    ...(strategy !== 'None' && spec.preserveUnknownFields === true ? [invalid(`${path}.strategy`, strategy, pruned)] : none),
    ...validateRequiredOneOf(strategy, ['None', 'Webhook'], `${path}.strategy`),
  ];
  if (strategy === 'Webhook') {
    return [
      ...known,
      ...(config
        ? [
            ...validateClientConfig(config, `${path}.webhookClientConfig`),
            ...(old && isEstablished(old) && !hasInvalidCaBundle(old)
              ? validateCaBundle(config.caBundle ?? '', `${path}.webhookClientConfig.caBundle`)
              : none),
          ]
        : [required(`${path}.webhookClientConfig`, 'required when strategy is set to Webhook')]),
      ...validateReview(versions, `${path}.conversionReviewVersions`),
    ];
  }
  const why = 'should not be set when strategy is not set to Webhook';
  return [
    ...known,
    ...(config ? [forbiddenField(`${path}.webhookClientConfig`, why)] : none),
    ...(versions.length > 0 ? [forbiddenField(`${path}.conversionReviewVersions`, why)] : none),
  ];
}

function validateCaBundle(bundle: string, path: string): Errors {
  const problem = caBundleProblem(bundle);
  return problem === undefined ? none : [invalid(path, bundle, problem)];
}

export function isEstablished({ status }: Definition): boolean {
  return status?.conditions?.some(({ type, status: state }) => type === 'Established' && state === 'True') ?? false;
}

function validateReview(versions: readonly string[], path: string): Errors {
  if (versions.length === 0) return [required(path, '')];
  const seen = new Set<string>();
  const isRepeated = (version: string): boolean => seen.size === seen.add(version).size;
  const errors: FieldError[] = collectErrors(versions, (version, index) =>
    isRepeated(version)
      ? [invalid(`${path}[${index}]`, version, 'duplicate version')]
      : isDns1035Label(version).map((text) => invalid(`${path}[${index}]`, version, text)),
  );
  if (!versions.some((version) => reviewVersions.includes(version))) {
    errors.push(invalid(path, versions, `must include at least one of ${reviewVersions.join(', ')}`));
  }
  return errors;
}
