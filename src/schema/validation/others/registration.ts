import {
  collectErrors,
  type FieldError,
  invalid,
  isDns1035Label,
  isDns1123Subdomain,
  type JsonObject,
  required,
} from '../../../meta/index.ts';
import { numberAt, objectsAt, optionalRecordAt, recordAt, textAt } from '../accessors.ts';
import { type Errors, none, validateNameWith, validateOneOf, validatePortNumber } from '../checks.ts';
import type { KindValidators } from '../kind-validator.ts';
import { validateFullMetadata, validateObjectMetaAccessorUpdate } from '../update-validators.ts';

/** APIService objects of aggregated API servers. Cf. upstream kube-aggregator ValidateAPIService. */
export const registrationValidators: KindValidators = {
  'apiregistration.APIService': {
    create: validateApiService,
    update: (next, old) => [
      ...validateObjectMetaAccessorUpdate(next, old),
      ...validateFullMetadata({ type: 'apiregistration.APIService', namespaced: false }, next),
      ...validateApiService(next),
    ],
    updateStatus: (next, old) => [...validateObjectMetaAccessorUpdate(next, old), ...validateConditionStatuses(recordAt(next, 'status'))],
  },
};

function validateConditionStatuses(status: JsonObject): Errors {
  return collectErrors(objectsAt(status, 'conditions'), (one, index) =>
    validateOneOf(textAt(one, 'status'), ['True', 'False', 'Unknown'], `status.conditions[${index}].status`),
  );
}

const maxGroupPriority = 20_000;
const maxVersionPriority = 1000;

function validateApiService(object: JsonObject): Errors {
  const spec = recordAt(object, 'spec');
  const [group, version] = [textAt(spec, 'group'), textAt(spec, 'version')];
  const [groupPriority, versionPriority] = [numberAt(spec, 'groupPriorityMinimum') ?? 0, numberAt(spec, 'versionPriority') ?? 0];
  const service = optionalRecordAt(spec, 'service');
  const insecure = spec['insecureSkipTLSVerify'] === true;
  const errors: FieldError[] = [
    ...(group === '' && version !== 'v1' ? [required('spec.group', 'only v1 may have an empty group and it better be legacy kube')] : none),
    ...(group === '' ? none : validateNameWith(isDns1123Subdomain, group, 'spec.group')),
    ...validateNameWith(isDns1035Label, version, 'spec.version'),
  ];
  if (groupPriority <= 0 || groupPriority > maxGroupPriority) {
    errors.push(invalid('spec.groupPriorityMinimum', groupPriority, `must be positive and less than ${maxGroupPriority}`));
  }
  if (versionPriority <= 0 || versionPriority > maxVersionPriority) {
    errors.push(invalid('spec.versionPriority', versionPriority, `must be positive and less than ${maxVersionPriority}`));
  }
  const bundle = textAt(spec, 'caBundle') !== '';
  if (!service) {
    if (bundle)
      errors.push(invalid('spec.caBundle', `${atob(textAt(spec, 'caBundle')).length} bytes`, 'local APIServices may not have a caBundle'));
    if (insecure) errors.push(invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify'));
    return errors;
  }
  if (textAt(service, 'namespace') === '') errors.push(required('spec.service.namespace', ''));
  if (textAt(service, 'name') === '') errors.push(required('spec.service.name', ''));
  const [port, at] = [numberAt(service, 'port') ?? 0, 'spec.service.port'];
  errors.push(...validatePortNumber(port, at).map(() => invalid(at, port, 'port is not valid: must be between 1 and 65535, inclusive')));
  if (insecure && bundle) errors.push(invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'));
  return errors;
}
