import type { JsonObject } from '../../meta/index.ts';
import { textsOf } from '../resources/info.ts';
import { objectIn, objectsIn } from './report.ts';

/** The quality of service that a pod's requests and limits make. */
export function qosOf(spec: JsonObject): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const containers = [...objectsIn(spec, 'initContainers'), ...objectsIn(spec, 'containers')].map((container) =>
    objectIn(container, 'resources'),
  );
  const amounts = (resources: JsonObject, member: string): Readonly<Record<string, string>> => textsOf(resources[member]);
  const counted = ['cpu', 'memory'];
  const any = containers.some((one) =>
    counted.some((name) => amounts(one, 'requests')[name] !== undefined || amounts(one, 'limits')[name] !== undefined),
  );
  if (!any) return 'BestEffort';
  const full = containers.every((one) =>
    counted.every(
      (name) =>
        amounts(one, 'limits')[name] !== undefined &&
        (amounts(one, 'requests')[name] ?? amounts(one, 'limits')[name]) === amounts(one, 'limits')[name],
    ),
  );
  return full ? 'Guaranteed' : 'Burstable';
}
