import { type ApiObject, type JsonObject, objectsAt, recordAt } from '../../meta/index.ts';

/** resource.k8s.io/v1 and v1beta2 have an exact request in `exactly`; v1beta1 has its members in the request itself. */

const exactMembers = ['deviceClassName', 'selectors', 'allocationMode', 'count', 'adminAccess', 'tolerations', 'capacity'];

export function withoutExactly(claim: ApiObject): ApiObject {
  return withRequests(claim, ({ name = '', exactly: _, firstAvailable, ...others }, exactly) => ({
    name,
    deviceClassName: exactly['deviceClassName'] ?? '',
    ...exactly,
    ...(firstAvailable === undefined ? {} : { firstAvailable }),
    ...others,
  }));
}

export function withExactly(claim: ApiObject): ApiObject {
  return withRequests(claim, (request) => {
    const exact = Object.fromEntries(
      exactMembers.flatMap((member) => {
        const value = request[member];
        return value === undefined || value === '' ? [] : [[member, value] as const];
      }),
    );
    const others = Object.fromEntries(Object.entries(request).filter(([member]) => member !== 'name' && !exactMembers.includes(member)));
    const exactly = Object.keys(exact).length > 0 ? { exactly: { deviceClassName: '', ...exact } } : {};
    return { name: request['name'] ?? '', ...exactly, ...others };
  });
}

/** A template contains the claim's spec in its own. */
function withRequests(object: ApiObject, convert: (request: JsonObject, exactly: JsonObject) => JsonObject): ApiObject {
  const spec = recordAt(object, 'spec');
  const inTemplate = object.kind === 'ResourceClaimTemplate';
  const claim = inTemplate ? recordAt(spec, 'spec') : spec;
  const devices = recordAt(claim, 'devices');
  if (objectsAt(devices, 'requests').length === 0) return object;
  const requests = objectsAt(devices, 'requests').map((request) => convert(request, recordAt(request, 'exactly')));
  const next = { ...claim, devices: { ...devices, requests } };
  return { ...object, spec: inTemplate ? { ...spec, spec: next } : next };
}
