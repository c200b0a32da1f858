import { type ApiObject, recordAt } from '../../../meta/index.ts';
import { type KindRow, withMembers, withSpec } from '../kind-row.ts';

/** A kubelet creates its node with the status; configuration from a ConfigMap was removed. */
export const node: KindRow = {
  acceptsStatusOnCreate: true,
  create: (object) => withoutConfig(object),
  update: (next, old) => (recordAt(old, 'spec')['configSource'] === undefined ? withSpec(next, { configSource: undefined }) : next),
  updateStatus: (next, old) => (recordAt(old, 'status')['config'] === undefined ? withoutStatusConfig(next) : next),
};

function withoutConfig(object: ApiObject): ApiObject {
  return withoutStatusConfig(withSpec(object, { configSource: undefined }));
}

function withoutStatusConfig(next: ApiObject): ApiObject {
  return next['status'] === undefined ? next : { ...next, status: withMembers(recordAt(next, 'status'), { config: undefined }) };
}
