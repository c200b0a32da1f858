import type { resourcev1 } from '../../schema/api/index.ts';

/** A request for devices of one class: a whole request, or one of several alternatives. */
export interface ClassRequest {
  /** `request`, or `request/alternative`. */
  readonly name: string;
  /** The name of the request without the alternative. */
  readonly parent: string;
  readonly className: string;
  readonly selectors: readonly resourcev1.DeviceSelector[];
  readonly tolerations: readonly resourcev1.DeviceToleration[];
  readonly mode: string;
  readonly count: number;
  readonly adminAccess: boolean;
}

/** The alternatives of each request; most have one. */
export function classRequestsOf({ name, exactly, firstAvailable = [] }: resourcev1.DeviceRequest): readonly ClassRequest[] {
  if (firstAvailable.length === 0) return [classRequest(name, name, exactly)];
  return firstAvailable.map((one) => classRequest(`${name}/${one.name}`, name, one));
}

function classRequest(
  name: string,
  parent: string,
  request: (resourcev1.DeviceSubRequest & { readonly adminAccess?: boolean }) | resourcev1.ExactDeviceRequest | undefined,
): ClassRequest {
  const {
    deviceClassName = '',
    selectors = [],
    tolerations = [],
    allocationMode = 'ExactCount',
    count = 1,
    adminAccess = false,
  } = request ?? {};
  return { name, parent, className: deviceClassName, selectors, tolerations, mode: allocationMode, count, adminAccess };
}
