import {
  duplicate,
  type FieldError,
  invalid,
  isDns1123Label,
  isDns1123Subdomain,
  type JsonObject,
  required,
  tooMany,
} from '../../../meta/index.ts';
import { type Errors, immutable, named, none, oneOf } from '../checks.ts';
import type { KindValidators } from '../kind-validator.ts';
import { numberAt, objectsAt, optionalRecordAt, recordAt, textAt, textsAt } from '../reading.ts';
import { metadataUpdate, wholeMetadata } from '../revalidated.ts';

/** Claims of devices and classes of them. Expressions are compiled where the language is known. */
export const deviceValidators: KindValidators = {
  'resource.ResourceClaim': {
    create: (claim) => claimSpec(recordAt(claim, 'spec'), 'spec'),
    update: (next, old) => [...metadataUpdate(next, old), ...immutable(next['spec'], old['spec'], 'spec')],
    updateStatus: metadataUpdate,
  },
  'resource.ResourceClaimTemplate': {
    create: (template) => claimSpec(recordAt(recordAt(template, 'spec'), 'spec'), 'spec.spec'),
    update: (next, old) => [...metadataUpdate(next, old), ...immutable(next['spec'], old['spec'], 'spec')],
  },
  'resource.DeviceClass': {
    create: deviceClass,
    update: (next, old) => [
      ...metadataUpdate(next, old),
      ...wholeMetadata({ type: 'resource.DeviceClass', namespaced: false }, next),
      ...deviceClass(next),
    ],
  },
};

const maxItems = 32;

function deviceClass(object: JsonObject): Errors {
  return objectsAt(recordAt(object, 'spec'), 'config').flatMap((config, index) => deviceConfig(config, `spec.config[${index}]`));
}

function deviceConfig(config: JsonObject, path: string): Errors {
  const opaque = optionalRecordAt(config, 'opaque');
  if (!opaque) return [required(`${path}.opaque`, '')];
  const at = `${path}.opaque`;
  const [driver, parameters] = [textAt(opaque, 'driver'), opaque['parameters']];
  const errors: FieldError[] = [
    ...(driver === '' ? [required(`${at}.driver`, '')] : none),
    ...named(isDns1123Subdomain, driver, `${at}.driver`),
  ];
  if (parameters === undefined || parameters === null) errors.push(required(`${at}.parameters`, ''));
  else if (typeof parameters !== 'object' || Array.isArray(parameters)) {
    errors.push(invalid(`${at}.parameters`, '<value omitted>', 'must be a valid JSON object'));
  }
  return errors;
}

function claimSpec(spec: JsonObject, path: string): Errors {
  const devices = recordAt(spec, 'devices');
  const requests = objectsAt(devices, 'requests');
  const at = `${path}.devices`;
  const names = requestNames(requests);
  return [
    ...(requests.length > maxItems ? [tooMany(`${at}.requests`, requests.length, maxItems)] : deviceRequests(requests, `${at}.requests`)),
    ...objectsAt(devices, 'constraints').flatMap((one, index) => namesOfRequests(one, names, `${at}.constraints[${index}]`)),
    ...objectsAt(devices, 'config').flatMap((one, index) => [
      ...namesOfRequests(one, names, `${at}.config[${index}]`),
      ...deviceConfig(one, `${at}.config[${index}]`),
    ]),
  ];
}

function requestNames(requests: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(
    requests.flatMap((request) => [
      textAt(request, 'name'),
      ...objectsAt(request, 'firstAvailable').map((sub) => `${textAt(request, 'name')}/${textAt(sub, 'name')}`),
    ]),
  );
}

function namesOfRequests(object: JsonObject, names: ReadonlySet<string>, path: string): Errors {
  const why = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  return textsAt(object, 'requests').flatMap((name, index) =>
    names.has(name) ? none : [invalid(`${path}.requests[${index}]`, name, why)],
  );
}

function deviceRequests(requests: readonly JsonObject[], path: string): Errors {
  const seen = new Set<string>();
  return requests.flatMap((request, index) => {
    const at = `${path}[${index}]`;
    const name = textAt(request, 'name');
    const again = seen.has(name) ? [duplicate(`${at}.name`, name)] : none;
    seen.add(name);
    return [...named(isDns1123Label, name, `${at}.name`), ...deviceRequest(request, at), ...again];
  });
}

function deviceRequest(request: JsonObject, path: string): Errors {
  const [exactly, first] = [optionalRecordAt(request, 'exactly'), objectsAt(request, 'firstAvailable')];
  if (exactly && first.length > 0)
    return [invalid(path, null, 'exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set')];
  if (exactly) return exactRequest(exactly, `${path}.exactly`);
  if (first.length > 0) return first.flatMap((sub, index) => exactRequest(sub, `${path}.firstAvailable[${index}]`));
  return [required(path, 'exactly one of `exactly` or `firstAvailable` is required')];
}

function exactRequest(request: JsonObject, path: string): Errors {
  const [name, mode, count] = [textAt(request, 'deviceClassName'), textAt(request, 'allocationMode'), numberAt(request, 'count') ?? 0];
  const errors = name === '' ? [required(`${path}.deviceClassName`, '')] : [...named(isDns1123Subdomain, name, `${path}.deviceClassName`)];
  if (mode === 'All' && count !== 0) errors.push(invalid(`${path}.count`, count, "must not be specified when allocationMode is 'All'"));
  if (mode === 'ExactCount' && count <= 0) errors.push(invalid(`${path}.count`, count, 'must be greater than zero'));
  return [...errors, ...oneOf(mode, ['All', 'ExactCount'], `${path}.allocationMode`)];
}
