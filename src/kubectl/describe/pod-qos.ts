import { type JsonObject, objectsAt, recordAt } from '../../meta/index.ts';
import { textsOf } from '../resources/info.ts';

/** The quality-of-service class of a pod's requests and limits. */
export function qosClassOf(spec: JsonObject): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const containers = [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')].map((container) =>
    recordAt(container, 'resources'),
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
