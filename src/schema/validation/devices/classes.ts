import { invalid, type JsonObject } from '../../../meta/index.ts';
import { objectsAt, optionalTextAt, recordAt } from '../accessors.ts';
import { type Errors, none } from '../checks.ts';
import { isExtended } from '../core/resource-names.ts';
import type { ValidationContext } from '../kind-validator.ts';
import { validateDeviceConfiguration, validateDeviceSelectors } from './configuration.ts';
import { validateSlice } from './names.ts';

const maxConfigurations = 32;

export function validateDeviceClass(object: JsonObject, context: ValidationContext): Errors {
  const spec = recordAt(object, 'spec');
  const name = optionalTextAt(spec, 'extendedResourceName');
  return [
    ...validateDeviceSelectors(spec, 'spec', context),
    ...validateSlice(objectsAt(spec, 'config'), maxConfigurations, validateDeviceConfiguration, 'spec.config'),
    ...(name === undefined || isExtended(name, context)
      ? none
      : [invalid('spec.extendedResourceName', name, 'must be a valid extended resource name')]),
  ];
}
