import { type ApiObject, recordAt } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { type KindRow, withMembers, withSpec } from '../kind-row.ts';

/** A kubelet creates its node with the status; configuration from a ConfigMap was removed. */
export const node: KindRow = {
  acceptsStatusOnCreate: true,
  create: (object) => withoutConfig(object),
  update: (next, { spec }: Decoded<corev1.Node>) => (spec?.configSource === undefined ? withSpec(next, { configSource: undefined }) : next),
  updateStatus: (next, { status }: Decoded<corev1.Node>) => (status?.config === undefined ? withoutStatusConfig(next) : next),
};

function withoutConfig(object: ApiObject): ApiObject {
  return withoutStatusConfig(withSpec(object, { configSource: undefined }));
}

function withoutStatusConfig(next: ApiObject): ApiObject {
  return next['status'] === undefined ? next : { ...next, status: withMembers(recordAt(next, 'status'), { config: undefined }) };
}
