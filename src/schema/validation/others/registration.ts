import { collectErrors, invalid, isDns1035Label, isDns1123Subdomain, required } from '../../../meta/index.ts';
import type { apiregistrationv1 } from '../../api/index.ts';
import { type Errors, none, validateNameWith, validateOneOf, validatePortNumber, validateRequiredText } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
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
    updateStatus: (next, old) => [...validateObjectMetaAccessorUpdate(next, old), ...validateConditionStatuses(next.status ?? {})],
  },
};

function validateConditionStatuses(status: Decoded<apiregistrationv1.APIServiceStatus>): Errors {
  return collectErrors(status.conditions ?? [], (one, index) =>
    validateOneOf(one.status ?? '', ['True', 'False', 'Unknown'], `status.conditions[${index}].status`),
  );
}

const maxGroupPriority = 20_000;
const maxVersionPriority = 1000;

function validateApiService(object: Decoded<apiregistrationv1.APIService>): Errors {
  const spec = object.spec ?? {};
  const [group, version] = [spec.group ?? '', spec.version ?? ''];
  return [
    ...(group === '' && version !== 'v1' ? [required('spec.group', 'only v1 may have an empty group and it better be legacy kube')] : none),
    ...(group === '' ? none : validateNameWith(isDns1123Subdomain, group, 'spec.group')),
    ...validateNameWith(isDns1035Label, version, 'spec.version'),
    ...validatePriority(spec.groupPriorityMinimum ?? 0, maxGroupPriority, 'spec.groupPriorityMinimum'),
    ...validatePriority(spec.versionPriority ?? 0, maxVersionPriority, 'spec.versionPriority'),
    ...(spec.service ? validateService(spec, spec.service) : validateLocalService(spec)),
  ];
}

function validatePriority(priority: number, max: number, path: string): Errors {
  return priority <= 0 || priority > max ? [invalid(path, priority, `must be positive and less than ${max}`)] : none;
}

/** A group that the server itself serves. */
function validateLocalService({ caBundle = '', insecureSkipTLSVerify: insecure }: Decoded<apiregistrationv1.APIServiceSpec>): Errors {
  return [
    ...(caBundle === '' ? none : [invalid('spec.caBundle', `${atob(caBundle).length} bytes`, 'local APIServices may not have a caBundle')]),
    ...(insecure === true ? [invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify')] : none),
  ];
}

function validateService(
  { caBundle = '', insecureSkipTLSVerify: insecure }: Decoded<apiregistrationv1.APIServiceSpec>,
  service: Decoded<apiregistrationv1.ServiceReference>,
): Errors {
  const [port, at] = [service.port ?? 0, 'spec.service.port'];
  return [
    ...validateRequiredText(service, 'namespace', 'spec.service'),
    ...validateRequiredText(service, 'name', 'spec.service'),
    ...validatePortNumber(port, at).map(() => invalid(at, port, 'port is not valid: must be between 1 and 65535, inclusive')),
    ...(insecure === true && caBundle !== ''
      ? [invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')]
      : none),
  ];
}
