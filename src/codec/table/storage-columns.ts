import {
  age,
  boolean,
  type CellContext,
  type Column,
  either,
  field,
  integer,
  joinField,
  name,
  nameColumn,
  sizeOf,
  text,
} from './column.ts';
import { isSet, listAt, memberAt, textAt, valueAt } from './read.ts';

/** Columns of storage kinds. */
export const storageColumns: Readonly<Record<string, readonly Column[]>> = {
  CSIDriver: [
    name,
    boolean('AttachRequired', either('spec.attachRequired', true)),
    boolean('PodInfoOnMount', either('spec.podInfoOnMount', false)),
    boolean('StorageCapacity', either('spec.storageCapacity', false)),
    text('TokenRequests', (driver) =>
      isSet(valueAt(driver, 'spec.tokenRequests'))
        ? listAt(driver, 'spec.tokenRequests')
            .map((request) => textAt(request, 'audience'))
            .join(',')
        : '<unset>',
    ),
    boolean('RequiresRepublish', either('spec.requiresRepublish', false)),
    text('Modes', joinField('spec.volumeLifecycleModes', undefined, '<none>')),
    age,
  ],
  CSINode: [name, integer('Drivers', sizeOf('spec.drivers')), age],
  StorageClass: [
    nameColumn(text('Name', storageClassName)),
    text('Provisioner', field('provisioner')),
    text('ReclaimPolicy', field('reclaimPolicy', 'Delete')),
    text('VolumeBindingMode', field('volumeBindingMode', 'Immediate')),
    text('AllowVolumeExpansion', either('allowVolumeExpansion', false)),
    age,
  ],
  VolumeAttachment: [
    name,
    nameColumn(text('Attacher', field('spec.attacher'))),
    text('PV', field('spec.source.persistentVolumeName')),
    text('Node', field('spec.nodeName')),
    boolean('Attached', either('status.attached', false)),
    age,
  ],
  VolumeAttributesClass: [name, text('DriverName', field('driverName')), age],
};

function storageClassName(storage: unknown, { product }: CellContext): string {
  const isDefault = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'].some(
    (annotation) => memberAt(storage, 'metadata.annotations', product.rename(annotation)) === 'true',
  );
  return textAt(storage, 'metadata.name') + (isDefault ? ' (default)' : '');
}
