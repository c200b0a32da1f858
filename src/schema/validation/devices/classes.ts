import { invalid } from '../../../meta/index.ts';
import type { resourcev1 } from '../../api/index.ts';
import { type Errors, none } from '../checks.ts';
import { isExtended } from '../core/quotas/resource-names.ts';
import type { Decoded } from '../decoded.ts';
import type { ValidationContext } from '../kind-validator.ts';
import { validateDeviceConfiguration, validateDeviceSelectors } from './configuration.ts';
import { validateSlice } from './names.ts';

const maxConfigurations = 32;

export function validateDeviceClass(object: Decoded<resourcev1.DeviceClass>, context: ValidationContext): Errors {
  const spec = object.spec ?? {};
  const name = spec.extendedResourceName;
  return [
    ...validateDeviceSelectors(spec, 'spec', context),
    ...validateSlice(spec.config ?? [], maxConfigurations, validateDeviceConfiguration, 'spec.config'),
    ...(name === undefined || isExtended(name, context)
      ? none
      : [invalid('spec.extendedResourceName', name, 'must be a valid extended resource name')]),
  ];
}
