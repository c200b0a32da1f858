import { type ApiObject, type JsonObject, objectsAt, recordAt } from '../../meta/index.ts';

/** resource.k8s.io/v1beta1 has all members of a device but its name in `basic`. */
export function withBasicDevices(slice: ApiObject): ApiObject {
  return withDevices(slice, ({ name = '', ...basic }) => ({ name, basic }));
}

export function withoutBasicDevices(slice: ApiObject): ApiObject {
  return withDevices(slice, (device) => ({ name: device['name'] ?? '', ...recordAt(device, 'basic') }));
}

function withDevices(slice: ApiObject, convert: (device: JsonObject) => JsonObject): ApiObject {
  const spec = recordAt(slice, 'spec');
  const devices = objectsAt(spec, 'devices');
  return devices.length === 0 ? slice : { ...slice, spec: { ...spec, devices: devices.map(convert) } };
}
