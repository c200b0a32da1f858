import { withMetadata } from '../../../meta/index.ts';
import type { KindRow } from '../kind-row.ts';

/** The only kind with a generated name when neither name nor generateName is set. */
export const limitRange: KindRow = {
  createOnUpdate: true,
  create(object, { random }) {
    const { name = '', generateName = '' } = object.metadata;
    return name === '' && generateName === '' ? withMetadata(object, { name: random.uuid() }) : object;
  },
};
