import { collectErrors, invalid, isDns1123Label, isDns1123Subdomain, type JsonObject, required } from '../../../meta/index.ts';
import type { resourcev1 } from '../../api/index.ts';
import { createStructImmutability, type Errors, none, validateNameWith, validateOneOf } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateTemplateMetadata } from '../template-metadata.ts';
import { validateFullMetadata, validateObjectMetaUpdate, validateSpecOnUpdate } from '../update-validators.ts';
import { validateClaimStatus } from './claim-status.ts';
import { validateDeviceClass } from './classes.ts';
import { validateDeviceConfiguration, validateDeviceSelectors } from './configuration.ts';
import { validateFullyQualifiedDeviceName, validateRequestReferences, validateSet, validateSlice } from './names.ts';
import { validateResourceSlice, validateResourceSliceUpdate } from './slices.ts';
import { validateDeviceToleration, validateTaintRule } from './taints.ts';

/** Resource claims, device classes and resource slices. CEL expressions are compiled elsewhere. */
export function deviceValidators(context: ValidationContext): KindValidators {
  const ofClass = (object: JsonObject): Errors => validateDeviceClass(object, context);
  return {
    'resource.ResourceClaim': {
      create: (claim) => validateClaimSpec(claim.spec ?? {}, 'spec', context),
      update: (next, old) => [
        ...validateFullMetadata({ type: 'resource.ResourceClaim', namespaced: true }, next),
        ...validateClaimSpec(next.spec ?? {}, 'spec', context),
        ...validateObjectMetaUpdate(next, old),
        ...createStructImmutability(context, 'resource/v1.ResourceClaimSpec')(next.spec, old.spec, 'spec'),
        ...validateClaimSpec(next.spec ?? {}, 'spec', context, true),
      ],
      updateStatus: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...validateClaimStatus(next, old, requestNames(next.spec ?? {})),
      ],
    },
    'resource.ResourceClaimTemplate': {
      create: (template) => validateTemplateSpec(template, context),
      update: (next, old) => [
        ...validateFullMetadata({ type: 'resource.ResourceClaimTemplate', namespaced: true }, next),
        ...validateTemplateSpec(next, context),
        ...validateObjectMetaUpdate(next, old),
        ...createStructImmutability(context, 'resource/v1.ResourceClaimTemplateSpec')(next.spec, old.spec, 'spec'),
        ...validateTemplateSpec(next, context, true),
      ],
    },
    'resource.DeviceClass': {
      create: ofClass,
      update: (next, old) => [
        ...validateFullMetadata({ type: 'resource.DeviceClass', namespaced: false }, next),
        ...ofClass(next),
        ...validateObjectMetaUpdate(next, old),
        ...ofClass(next),
      ],
    },
    'resource.DeviceTaintRule': validateSpecOnUpdate((rule) => validateTaintRule(rule.spec ?? {}, context)),
    'resource.ResourceSlice': {
      create: validateResourceSlice,
      update: (next, old) => [...validateObjectMetaUpdate(next, old), ...validateResourceSliceUpdate(next, old)],
    },
  };
}

const maxItems = 32;
const maxAlternatives = 8;

function validateTemplateSpec(template: Decoded<resourcev1.ResourceClaimTemplate>, context: ValidationContext, stored = false): Errors {
  const spec = template.spec ?? {};
  return [
    ...validateTemplateMetadata(spec.metadata ?? {}, 'spec.metadata'),
    ...validateClaimSpec(spec.spec ?? {}, 'spec.spec', context, stored),
  ];
}

function validateClaimSpec(spec: Decoded<resourcev1.ResourceClaimSpec>, path: string, context: ValidationContext, stored = false): Errors {
  const devices = spec.devices ?? {};
  const known = requestNames(spec);
  const at = `${path}.devices`;
  return [
    ...validateSet(
      devices.requests ?? [],
      { max: maxItems, check: (one, where) => validateRequest(one, where, context), key: (one) => one.name ?? '', member: 'name' },
      `${at}.requests`,
    ),
    ...validateSlice(
      devices.constraints ?? [],
      maxItems,
      (one, where) => validateConstraint(one, known, where, context),
      `${at}.constraints`,
    ),
    ...validateSlice(
      devices.config ?? [],
      maxItems,
      (one, where) => [...validateRequestReferences(one, known, where), ...validateDeviceConfiguration(one, where, stored)],
      `${at}.config`,
    ),
  ];
}

/** Requests, and subrequests as `request/subrequest`. */
function requestNames(spec: Decoded<resourcev1.ResourceClaimSpec>): ReadonlySet<string> {
  return new Set(
    (spec.devices?.requests ?? [])
      .filter((one) => !(one.name ?? '').includes('/'))
      .flatMap((one) => [
        one.name ?? '',
        ...(one.firstAvailable ?? []).map((alternative) => `${one.name ?? ''}/${alternative.name ?? ''}`),
      ]),
  );
}

/** A distinct attribute counts even with its gate off, since upstream does not drop it. */
function validateConstraint(
  object: Decoded<resourcev1.DeviceConstraint>,
  known: ReadonlySet<string>,
  path: string,
  { gates }: ValidationContext,
): Errors {
  const either = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
  const [match, distinct] = [object.matchAttribute, object.distinctAttribute];
  const attribute =
    match !== undefined
      ? validateFullyQualifiedDeviceName(match, `${path}.matchAttribute`)
      : distinct !== undefined
        ? validateFullyQualifiedDeviceName(distinct, `${path}.distinctAttribute`)
        : gates.enabled('DRAConsumableCapacity')
          ? [required(path, either)]
          : [required(`${path}.matchAttribute`, '')];
  return [...validateRequestReferences(object, known, path), ...attribute];
}

function validateRequest(object: Decoded<resourcev1.DeviceRequest>, path: string, context: ValidationContext): Errors {
  const [exactly, alternatives] = [object.exactly, object.firstAvailable ?? []];
  const rule = 'exactly one of `exactly` or `firstAvailable` is required';
  const check = (one: Decoded<resourcev1.DeviceSubRequest>, where: string): Errors => [
    ...validateNameWith(isDns1123Label, one.name ?? '', `${where}.name`),
    ...validateExactRequest(one, where, context),
  ];
  return [
    ...validateNameWith(isDns1123Label, object.name ?? '', `${path}.name`),
    ...validateSet(alternatives, { max: maxAlternatives, check, key: (one) => one.name ?? '', member: 'name' }, `${path}.firstAvailable`),
    ...(exactly ? validateExactRequest(exactly, `${path}.exactly`, context) : none),
    ...(exactly && alternatives.length > 0 ? [invalid(path, null, `${rule}, but multiple fields are set`)] : none),
    ...(exactly || alternatives.length > 0 ? none : [required(path, rule)]),
  ];
}

/** An exact request, or one of several alternatives. */
type ExactRequest = Decoded<Omit<resourcev1.ExactDeviceRequest, 'adminAccess'>>;

function validateExactRequest(request: ExactRequest, path: string, context: ValidationContext): Errors {
  const { deviceClassName: name = '', tolerations = [] } = request;
  const at = `${path}.deviceClassName`;
  return [
    ...(name === '' ? [required(at, '')] : validateNameWith(isDns1123Subdomain, name, at)),
    ...validateDeviceSelectors(request, path, context),
    ...validateCount(request, path),
    ...collectErrors(tolerations, (one, index) => validateDeviceToleration(one, `${path}.tolerations[${index}]`)),
  ];
}

function validateCount({ allocationMode: mode = '', count = 0 }: ExactRequest, path: string): Errors {
  if (mode === 'All') return count === 0 ? none : [invalid(`${path}.count`, count, "must not be specified when allocationMode is 'All'")];
  if (mode === 'ExactCount') return count > 0 ? none : [invalid(`${path}.count`, count, 'must be greater than zero')];
  return validateOneOf(mode, ['All', 'ExactCount'], `${path}.allocationMode`);
}
