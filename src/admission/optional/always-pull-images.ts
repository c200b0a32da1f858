import { type ApiObject, aggregateErrors, StatusError } from '../../meta/index.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { createForbiddenError, isCreateOrUpdate, isPodWrite } from '../forbidden-error.ts';
import { podSpecOf, withSpec } from '../object-accessors.ts';

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Forces imagePullPolicy Always, so that every pod proves its right to pull the image. Cf. upstream plugin/alwayspullimages. */
export function alwaysPullImages(): AdmissionPlugin {
  return {
    name: 'AlwaysPullImages',
    handles: (write) => isPodWrite(write) && isCreateOrUpdate(write),
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
    containerLists.flatMap((list) => (podSpecOf(one)[list] ?? []).map(({ image = '' }) => image));
  const before = new Set(imagesOf(old));
  return imagesOf(pod).some((image) => !before.has(image));
}

function withAlwaysPullPolicy(pod: ApiObject): ApiObject {
  const spec = podSpecOf(pod);
  const lists = containerLists.flatMap((list) => {
    const containers = spec[list] ?? [];
    return containers.length === 0 ? [] : [[list, containers.map((container) => ({ ...container, imagePullPolicy: 'Always' }))] as const];
  });
  const volumes = (spec.volumes ?? []).map((volume) =>
    volume.image === undefined ? volume : { ...volume, image: { ...volume.image, pullPolicy: 'Always' } },
  );
  return withSpec(pod, { ...Object.fromEntries(lists), ...(volumes.length > 0 ? { volumes } : {}) });
}

function wrongPolicies(pod: ApiObject): readonly (readonly [field: string, value: string])[] {
  const spec = podSpecOf(pod);
  const wrong = (field: string, policy = ''): readonly (readonly [string, string])[] => (policy === 'Always' ? [] : [[field, policy]]);
  return [
    ...containerLists.flatMap((list) =>
      (spec[list] ?? []).flatMap(({ imagePullPolicy }, index) => wrong(`spec.${list}[${index}].imagePullPolicy`, imagePullPolicy)),
    ),
    ...(spec.volumes ?? []).flatMap(({ image }, index) =>
      image === undefined ? [] : wrong(`spec.volumes[${index}].image.pullPolicy`, image.pullPolicy),
    ),
  ];
}
