import {
  collectErrors,
  duplicate,
  forbiddenField,
  invalid,
  isQualifiedName,
  isSameAmount,
  type JsonObject,
  ownMember,
  parseQuantity,
  quantityInteger,
  required,
} from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { type Errors, none, validateNameWith } from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import type { KindValidators, ValidationContext } from '../../kind-validator.ts';
import { validateFullMetadata } from '../../update-validators.ts';
import { isGreaterAmount, isOvercommitAllowed, validateContainerResourceName, validateResourceName } from './resource-names.ts';

export function limitRangeValidators(context: ValidationContext): KindValidators {
  const validate = (object: JsonObject): Errors => validateLimitRange(object, context);
  return {
    'core.LimitRange': {
      create: validate,
      update: (next) => [...validateFullMetadata({ type: 'core.LimitRange', namespaced: true }, next), ...validate(next)],
    },
  };
}

function validateLimitRange(object: Decoded<corev1.LimitRange>, context: ValidationContext): Errors {
  const seen = new Set<string>();
  return collectErrors(object.spec?.limits ?? [], (limit, index) => {
    const path = `spec.limits[${index}]`;
    const type = limit.type ?? '';
    const again = seen.has(type) ? [duplicate(`${path}.type`, type)] : none;
    seen.add(type);
    return [...validateLimitType(type, `${path}.type`), ...again, ...validateLimitItem(limit, type, path, context)];
  });
}

function validateLimitType(type: string, path: string): Errors {
  const errors = validateNameWith(isQualifiedName, type, path);
  if (errors.length > 0 || type.includes('/') || ['Pod', 'Container', 'PersistentVolumeClaim'].includes(type)) return errors;
  return [invalid(path, type, 'must be a standard limit type or fully qualified')];
}

const parts = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

function validateLimitItem(limit: Decoded<corev1.LimitRangeItem>, type: string, path: string, context: ValidationContext): Errors {
  const names = (part: (typeof parts)[number]): Errors =>
    collectErrors(Object.keys(limit[part] ?? {}), (name) =>
      type === 'Pod' || type === 'Container'
        ? validateContainerResourceName(name, `${path}.${part}[${name}]`, context)
        : validateResourceName(name, `${path}.${part}[${name}]`),
    );
  const keys = new Set(parts.flatMap((part) => Object.keys(limit[part] ?? {})));
  return [
    ...names('max'),
    ...names('min'),
    ...(type === 'Pod' ? validateNoPodDefaults(limit, path) : [...names('default'), ...names('defaultRequest')]),
    ...(type === 'PersistentVolumeClaim' && !limit.min?.['storage'] && !limit.max?.['storage']
      ? [required(`${path}.limits`, 'either minimum or maximum storage value is required, but neither was provided')]
      : none),
    ...names('maxLimitRequestRatio'),
    ...collectErrors([...keys].sort(), (name) => validateLimitsOf(limit, name, path, context)),
  ];
}

function validateNoPodDefaults(limit: Decoded<corev1.LimitRangeItem>, path: string): Errors {
  return (['default', 'defaultRequest'] as const)
    .filter((part) => Object.keys(limit[part] ?? {}).length > 0)
    .map((part) => forbiddenField(`${path}.${part}`, "may not be specified when `type` is 'Pod'"));
}

/** Compares the limits of one resource. */
function validateLimitsOf(limit: Decoded<corev1.LimitRangeItem>, name: string, path: string, context: ValidationContext): Errors {
  const [max, min, normal, request, ratio] = parts.map((part) => ownMember(limit[part] ?? {}, name));
  const greater = (a: string | undefined, b: string | undefined, part: string, shown: string | undefined, text: string): Errors =>
    a !== undefined && b !== undefined && isGreaterAmount(a, b) ? [invalid(`${path}.${part}[${name}]`, shown, text)] : none;
  const errors = [
    ...greater(min, max, 'min', min, `min value ${min} is greater than max value ${max}`),
    ...greater(min, request, 'defaultRequest', request, `min value ${min} is greater than default request value ${request}`),
    ...greater(request, max, 'defaultRequest', request, `default request value ${request} is greater than max value ${max}`),
    ...greater(
      request,
      normal,
      'defaultRequest',
      request,
      `default request value ${request} is greater than default limit value ${normal}`,
    ),
    // Upstream shows the violated limit rather than the default.
    ...greater(min, normal, 'default', min, `min value ${min} is greater than default value ${normal}`),
    ...greater(normal, max, 'default', max, `default value ${normal} is greater than max value ${max}`),
    ...greater('1', ratio, 'maxLimitRequestRatio', ratio, `ratio ${ratio} is less than 1`),
    ...validateRatio(min, max, ratio, `${path}.maxLimitRequestRatio[${name}]`),
  ];
  if (isOvercommitAllowed(name, context) || normal === undefined || request === undefined || isSameAmount(normal, request)) return errors;
  const why = `default value ${normal} must equal to defaultRequest value ${request} in ${name}`;
  return [...errors, invalid(`${path}.defaultRequest[${name}]`, request, why)];
}

/** Larger amounts are compared as integers: their thousandths do not fit an int64 (upstream resource.MaxMilliValue). */
const maxMilliValue = (2n ** 63n - 1n) / 1000n;

function validateRatio(min: string | undefined, max: string | undefined, ratio: string | undefined, path: string): Errors {
  if (min === undefined || max === undefined || ratio === undefined) return none;
  const amounts = [ratio, max, min].map(parseQuantity);
  const exponent = amounts.every((amount) => quantityInteger(amount) < maxMilliValue) ? -3 : 0;
  const [given = 0, most = 0, least = 0] = amounts.map((amount) => Number(quantityInteger(amount, exponent)));
  const limit = most / least;
  if (given / 10 ** -exponent <= limit || Number.isNaN(limit)) return none;
  return [invalid(path, ratio, `ratio ${ratio} is greater than max/min = ${limit.toFixed(6)}`)];
}
