import { collectErrors, type FieldError, forbiddenField, invalid, isDns1035Label, type JsonObject, required } from '../../../meta/index.ts';
import { optionalRecordAt, textAt, textsAt } from '../accessors.ts';
import { type Errors, none, validateRequiredOneOf } from '../checks.ts';
import { validateClientConfig } from '../others/webhooks.ts';

const reviewVersions = ['v1', 'v1beta1'];

/** Conversion between versions. Cf. upstream validateCustomResourceConversion. */
export function validateConversion(spec: JsonObject): Errors {
  const given = optionalRecordAt(spec, 'conversion');
  if (!given) return none;
  const strategy = textAt(given, 'strategy');
  const webhook = optionalRecordAt(given, 'webhook');
  const config = optionalRecordAt(webhook, 'clientConfig');
  const versions = textsAt(webhook, 'conversionReviewVersions');
  const path = 'spec.conversion';
  const known = validateRequiredOneOf(strategy, ['None', 'Webhook'], `${path}.strategy`);
  if (strategy === 'Webhook') {
    return [
      ...known,
      ...(config
        ? validateClientConfig(config, `${path}.webhookClientConfig`)
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
