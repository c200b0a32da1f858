import { cacheKeyOf, type KubeObject } from '../../client/index.ts';
import {
  type corev1,
  corev1PersistentVolumeClaims,
  corev1PersistentVolumes,
  type storagev1,
  storagev1VolumeAttributesClasses,
} from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { startWorkers } from '../start-workers.ts';
import { reconcileFinalizers } from '../volume-protection/persistent-volume-protection.ts';

/** Index of volumes and claims: by the names of their classes. */
const byClass = 'volumeAttributesClass';

/** Protects classes with a finalizer while volumes or claims refer to them. Cf. pkg/controller/volume/vacprotection. */
export const volumeAttributesClassProtection: Controller = (context) => {
  const { client, informers, product } = context;
  const finalizer = product.rename('kubernetes.io/vac-protection');
  const classes = informers.informer(storagev1VolumeAttributesClasses);
  const volumes = informers.informer(corev1PersistentVolumes);
  const claims = informers.informer(corev1PersistentVolumeClaims);
  volumes.store.addIndex(byClass, classesOfVolume);
  claims.store.addIndex(byClass, classesOfClaim);

  const isUsed = (name: string): boolean => [volumes, claims].some(({ store }) => store.byIndex(byClass, name).length > 0);

  const reconcile = async (name: string): Promise<void> => {
    const object = classes.store.get(name);
    const finalizers = object && reconcileFinalizers(object, finalizer, isUsed(name));
    if (!finalizers) return;
    const updated = { ...object, metadata: { ...object.metadata, finalizers } };
    await ignoreStaleWrite(client.resource(storagev1VolumeAttributesClasses).update(updated));
  };

  const name = 'volumeattributesclass-protection-controller';
  const queue = startWorkers({ name, informers: [classes, volumes, claims], reconcile }, context);
  const enqueue = (object: storagev1.VolumeAttributesClass): void => queue.add(cacheKeyOf(object));
  classes.addHandler({ onAdd: enqueue, onUpdate: enqueue });
  /** Enqueues the classes that an object does not refer to any more. */
  const releasing = <T extends KubeObject>(classesOf: (object: T) => readonly string[]) => ({
    onUpdate: (object: T, old: T): void => {
      const current = classesOf(object);
      for (const one of classesOf(old)) if (!current.includes(one)) queue.add(one);
    },
    onDelete: (object: T): void => {
      for (const one of classesOf(object)) queue.add(one);
    },
  });
  volumes.addHandler(releasing(classesOfVolume));
  claims.addHandler(releasing(classesOfClaim));
};

/** The classes that a claim requests, has, or is being changed to. */
export function classesOfClaim({ spec, status }: corev1.PersistentVolumeClaim): readonly string[] {
  const { currentVolumeAttributesClassName, modifyVolumeStatus } = status ?? {};
  return distinct([spec.volumeAttributesClassName, currentVolumeAttributesClassName, modifyVolumeStatus?.targetVolumeAttributesClassName]);
}

function classesOfVolume({ spec }: corev1.PersistentVolume): readonly string[] {
  return distinct([spec.volumeAttributesClassName]);
}

function distinct(names: readonly (string | null | undefined)[]): readonly string[] {
  return [...new Set(names.flatMap((name) => name || []))];
}
