import type { ApiObject } from '../../../meta/index.ts';
import type { resourcev1 } from '../../../schema/api/index.ts';
import { type Decoded, deviceId } from '../../../schema/index.ts';
import { withMembers } from '../kind-row.ts';

type Claim = Decoded<resourcev1.ResourceClaim>;

/** Removes the status of devices that are no longer allocated. Cf. pkg/registry/resource/resourceclaim dropDeallocatedStatusDevices. */
export function withoutDeallocated(next: ApiObject, old: ApiObject): ApiObject {
  const idsOf = ({ status }: Claim): readonly string[] => (status?.allocation?.devices?.results ?? []).map(deviceId);
  const { status = {} }: Claim = next;
  const [before, after] = [idsOf(old), idsOf(next)];
  const devices = status.devices?.filter((device) => !before.includes(deviceId(device)) || after.includes(deviceId(device)));
  return devices ? { ...next, status: withMembers(status, { devices: devices.length > 0 ? devices : undefined }) } : next;
}
