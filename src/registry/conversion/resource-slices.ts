import type { ApiObject, JsonObject } from '../../meta/index.ts';
import { itemsOf, partOf } from '../strategies/row.ts';

/** resource.k8s.io/v1beta1 keeps all of a device but its name in `basic`. */
export function withBasicDevices(slice: ApiObject): ApiObject {
  return withDevices(slice, ({ name = '', ...basic }) => ({ name, basic }));
}

export function withPlainDevices(slice: ApiObject): ApiObject {
  return withDevices(slice, (device) => ({ name: device['name'] ?? '', ...partOf(device, 'basic') }));
}

function withDevices(slice: ApiObject, convert: (device: JsonObject) => JsonObject): ApiObject {
  const spec = partOf(slice, 'spec');
  const devices = itemsOf(spec, 'devices');
  return devices.length === 0 ? slice : { ...slice, spec: { ...spec, devices: devices.map(convert) } };
}
