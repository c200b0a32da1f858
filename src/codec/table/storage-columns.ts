import type { storagev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { age, boolean, type CellContext, integer, type KindColumns, name, nameColumn, sizeOf, text } from './column.ts';

/** Columns of storage kinds. */
export const storageColumns: KindColumns = {
  CSIDriver: [
    name,
    boolean('AttachRequired', ({ spec }) => spec?.attachRequired ?? true),
    boolean('PodInfoOnMount', ({ spec }) => spec?.podInfoOnMount),
    boolean('StorageCapacity', ({ spec }) => spec?.storageCapacity),
    text('TokenRequests', ({ spec }) => spec?.tokenRequests?.map(({ audience = '' }) => audience).join() ?? '<unset>'),
    boolean('RequiresRepublish', ({ spec }) => spec?.requiresRepublish),
    text('Modes', ({ spec }) => spec?.volumeLifecycleModes?.join() || '<none>'),
    age,
  ],
  CSINode: [name, integer('Drivers', ({ spec }) => sizeOf(spec?.drivers)), age],
  StorageClass: [
    nameColumn(text('Name', storageClassName)),
    text('Provisioner', ({ provisioner }) => provisioner),
    text('ReclaimPolicy', ({ reclaimPolicy }) => reclaimPolicy || 'Delete'),
    text('VolumeBindingMode', ({ volumeBindingMode }) => volumeBindingMode || 'Immediate'),
    text('AllowVolumeExpansion', ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false),
    age,
  ],
  VolumeAttachment: [
    name,
    nameColumn(text('Attacher', ({ spec }) => spec?.attacher)),
    text('PV', ({ spec }) => spec?.source?.persistentVolumeName),
    text('Node', ({ spec }) => spec?.nodeName),
    boolean('Attached', ({ status }) => status?.attached),
    age,
  ],
  VolumeAttributesClass: [name, text('DriverName', ({ driverName }) => driverName), age],
};

function storageClassName({ metadata }: Decoded<storagev1.StorageClass>, { product }: CellContext): string {
  const isDefault = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'].some(
    (annotation) => metadata?.annotations?.[product.rename(annotation)] === 'true',
  );
  return (metadata?.name ?? '') + (isDefault ? ' (default)' : '');
}
