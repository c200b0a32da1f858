import { type ApiObject, aggregateErrors, type JsonObject, objectsAt, recordAt, StatusError, textAt } from '../../meta/index.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { createForbiddenError, isPodWrite } from '../forbidden-error.ts';
import { specOf, withSpec } from '../object-accessors.ts';

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Forces imagePullPolicy Always, so that every pod proves its right to pull the image. Cf. upstream plugin/alwayspullimages. */
export function alwaysPullImages(): AdmissionPlugin {
  return {
    name: 'AlwaysPullImages',
    handles: (write) => isPodWrite(write) && (write.operation === 'CREATE' || write.operation === 'UPDATE'),
    mutate: async (_, pod, old) => (old && !hasNewImage(pod, old) ? pod : withAlwaysPullPolicy(pod)),
    async validate(request, pod, old) {
      if (old && !hasNewImage(pod, old)) return;
      const wrong = wrongPolicies(pod).map(([field, value]) => {
        const why = `${field}: Unsupported value: ${JSON.stringify(value)}: supported values: "Always"`;
        return createForbiddenError(request, pod, why);
      });
      const [first, ...more] = wrong;
      if (first && more.length === 0) throw first;
      if (first) throw new StatusError(500, '', aggregateErrors(wrong.map(({ message }) => message)));
    },
  };
}

function hasNewImage(pod: ApiObject, old: ApiObject): boolean {
  const imagesOf = (one: ApiObject): readonly string[] =>
    containerLists.flatMap((list) => objectsAt(specOf(one), list).map((container) => textAt(container, 'image')));
  const before = new Set(imagesOf(old));
  return imagesOf(pod).some((image) => !before.has(image));
}

function withAlwaysPullPolicy(pod: ApiObject): ApiObject {
  const spec = specOf(pod);
  const lists = containerLists.flatMap((list) => {
    const containers = objectsAt(spec, list);
    return containers.length === 0 ? [] : [[list, containers.map((container) => ({ ...container, imagePullPolicy: 'Always' }))] as const];
  });
  const volumes = objectsAt(spec, 'volumes').map((volume) =>
    volume['image'] === undefined ? volume : { ...volume, image: { ...recordAt(volume, 'image'), pullPolicy: 'Always' } },
  );
  return withSpec(pod, { ...Object.fromEntries(lists), ...(volumes.length > 0 ? { volumes } : {}) });
}

function wrongPolicies(pod: ApiObject): readonly (readonly [field: string, value: string])[] {
  const spec = specOf(pod);
  const policy = (field: string, owner: JsonObject, name: string): readonly (readonly [string, string])[] =>
    textAt(owner, name) === 'Always' ? [] : [[`${field}.${name}`, textAt(owner, name)]];
  return [
    ...containerLists.flatMap((list) =>
      objectsAt(spec, list).flatMap((container, index) => policy(`spec.${list}[${index}]`, container, 'imagePullPolicy')),
    ),
    ...objectsAt(spec, 'volumes').flatMap((volume, index) =>
      volume['image'] === undefined ? [] : policy(`spec.volumes[${index}].image`, recordAt(volume, 'image'), 'pullPolicy'),
    ),
  ];
}
