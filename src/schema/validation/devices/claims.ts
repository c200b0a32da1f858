import { invalid, isDns1123Label, isDns1123Subdomain, type JsonObject, required } from '../../../meta/index.ts';
import { int64At, objectsAt, optionalRecordAt, optionalTextAt, recordAt, textAt } from '../accessors.ts';
import { type Errors, immutableStruct, nameErrors, none, oneOf } from '../checks.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { templateMetadata } from '../template-metadata.ts';
import { fullMetadataErrors, metadataUpdate, validateSpecOnUpdate } from '../update-validators.ts';
import { claimStatus } from './claim-status.ts';
import { deviceClass } from './classes.ts';
import { deviceConfiguration, deviceSelectors } from './configuration.ts';
import { fullyQualifiedDeviceName, requestReferences, validateSet, validateSlice } from './names.ts';
import { resourceSlice, resourceSliceUpdate } from './slices.ts';
import { deviceToleration, taintRule } from './taints.ts';

/** Resource claims, device classes and resource slices. CEL expressions are compiled elsewhere. */
export function deviceValidators(context: ValidationContext): KindValidators {
  const ofClass = (object: JsonObject): Errors => deviceClass(object, context);
  return {
    'resource.ResourceClaim': {
      create: (claim) => claimSpec(recordAt(claim, 'spec'), 'spec', context),
      update: (next, old) => [
        ...fullMetadataErrors({ type: 'resource.ResourceClaim', namespaced: true }, next),
        ...claimSpec(recordAt(next, 'spec'), 'spec', context),
        ...metadataUpdate(next, old),
        ...immutableStruct(context, 'resource/v1.ResourceClaimSpec')(next['spec'], old['spec'], 'spec'),
        ...claimSpec(recordAt(next, 'spec'), 'spec', context, true),
      ],
      updateStatus: (next, old) => [...metadataUpdate(next, old), ...claimStatus(next, old, requestNames(recordAt(next, 'spec')))],
    },
    'resource.ResourceClaimTemplate': {
      create: (template) => templateSpec(template, context),
      update: (next, old) => [
        ...fullMetadataErrors({ type: 'resource.ResourceClaimTemplate', namespaced: true }, next),
        ...templateSpec(next, context),
        ...metadataUpdate(next, old),
        ...immutableStruct(context, 'resource/v1.ResourceClaimTemplateSpec')(next['spec'], old['spec'], 'spec'),
        ...templateSpec(next, context, true),
      ],
    },
    'resource.DeviceClass': {
      create: ofClass,
      update: (next, old) => [
        ...fullMetadataErrors({ type: 'resource.DeviceClass', namespaced: false }, next),
        ...ofClass(next),
        ...metadataUpdate(next, old),
        ...ofClass(next),
      ],
    },
    'resource.DeviceTaintRule': validateSpecOnUpdate((rule) => taintRule(recordAt(rule, 'spec'), context)),
    'resource.ResourceSlice': {
      create: resourceSlice,
      update: (next, old) => [...metadataUpdate(next, old), ...resourceSliceUpdate(next, old)],
    },
  };
}

const maxItems = 32;
const maxAlternatives = 8;

function templateSpec(template: JsonObject, context: ValidationContext, stored = false): Errors {
  const spec = recordAt(template, 'spec');
  return [
    ...templateMetadata(recordAt(spec, 'metadata'), 'spec.metadata'),
    ...claimSpec(recordAt(spec, 'spec'), 'spec.spec', context, stored),
  ];
}

function claimSpec(spec: JsonObject, path: string, context: ValidationContext, stored = false): Errors {
  const devices = recordAt(spec, 'devices');
  const known = requestNames(spec);
  const at = `${path}.devices`;
  return [
    ...validateSet(
      objectsAt(devices, 'requests'),
      { max: maxItems, check: (one, where) => request(one, where, context), key: (one) => textAt(one, 'name'), member: 'name' },
      `${at}.requests`,
    ),
    ...validateSlice(
      objectsAt(devices, 'constraints'),
      maxItems,
      (one, where) => constraint(one, known, where, context),
      `${at}.constraints`,
    ),
    ...validateSlice(
      objectsAt(devices, 'config'),
      maxItems,
      (one, where) => [...requestReferences(one, known, where), ...deviceConfiguration(one, where, stored)],
      `${at}.config`,
    ),
  ];
}

/** Requests, and subrequests as `request/subrequest`. */
function requestNames(spec: JsonObject): ReadonlySet<string> {
  return new Set(
    objectsAt(recordAt(spec, 'devices'), 'requests')
      .filter((one) => !textAt(one, 'name').includes('/'))
      .flatMap((one) => [
        textAt(one, 'name'),
        ...objectsAt(one, 'firstAvailable').map((alternative) => `${textAt(one, 'name')}/${textAt(alternative, 'name')}`),
      ]),
  );
}

/** A distinct attribute counts even with its gate off, since upstream does not drop it. */
function constraint(object: JsonObject, known: ReadonlySet<string>, path: string, { gates }: ValidationContext): Errors {
  const either = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
  const [match, distinct] = [optionalTextAt(object, 'matchAttribute'), optionalTextAt(object, 'distinctAttribute')];
  const attribute =
    match !== undefined
      ? fullyQualifiedDeviceName(match, `${path}.matchAttribute`)
      : distinct !== undefined
        ? fullyQualifiedDeviceName(distinct, `${path}.distinctAttribute`)
        : gates.enabled('DRAConsumableCapacity')
          ? [required(path, either)]
          : [required(`${path}.matchAttribute`, '')];
  return [...requestReferences(object, known, path), ...attribute];
}

function request(object: JsonObject, path: string, context: ValidationContext): Errors {
  const [exactly, alternatives] = [optionalRecordAt(object, 'exactly'), objectsAt(object, 'firstAvailable')];
  const rule = 'exactly one of `exactly` or `firstAvailable` is required';
  const check = (one: JsonObject, where: string): Errors => [
    ...nameErrors(isDns1123Label, textAt(one, 'name'), `${where}.name`),
    ...exactRequest(one, where, context),
  ];
  return [
    ...nameErrors(isDns1123Label, textAt(object, 'name'), `${path}.name`),
    ...validateSet(
      alternatives,
      { max: maxAlternatives, check, key: (one) => textAt(one, 'name'), member: 'name' },
      `${path}.firstAvailable`,
    ),
    ...(exactly ? exactRequest(exactly, `${path}.exactly`, context) : none),
    ...(exactly && alternatives.length > 0 ? [invalid(path, null, `${rule}, but multiple fields are set`)] : none),
    ...(exactly || alternatives.length > 0 ? none : [required(path, rule)]),
  ];
}

function exactRequest(object: JsonObject, path: string, context: ValidationContext): Errors {
  const [name, at] = [textAt(object, 'deviceClassName'), `${path}.deviceClassName`];
  return [
    ...(name === '' ? [required(at, '')] : nameErrors(isDns1123Subdomain, name, at)),
    ...deviceSelectors(object, path, context),
    ...countErrors(object, path),
    ...objectsAt(object, 'tolerations').flatMap((one, index) => deviceToleration(one, `${path}.tolerations[${index}]`)),
  ];
}

function countErrors(object: JsonObject, path: string): Errors {
  const [mode, count] = [textAt(object, 'allocationMode'), int64At(object, 'count') ?? 0];
  if (mode === 'All') return count === 0 ? none : [invalid(`${path}.count`, count, "must not be specified when allocationMode is 'All'")];
  if (mode === 'ExactCount') return count > 0 ? none : [invalid(`${path}.count`, count, 'must be greater than zero')];
  return oneOf(mode, ['All', 'ExactCount'], `${path}.allocationMode`);
}
