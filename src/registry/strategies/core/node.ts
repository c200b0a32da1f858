import type { ApiObject } from '../../../meta/index.ts';
import { type KindRow, partOf, withMembers, withSpec } from '../row.ts';

/** A node says all of itself, status included; that it be configured from a ConfigMap is a feature of the past. */
export const node: KindRow = {
  keepsStatus: true,
  create: (object) => withoutConfig(object),
  update: (next, old) => (partOf(old, 'spec')['configSource'] === undefined ? withSpec(next, { configSource: undefined }) : next),
  updateStatus: (next, old) => (partOf(old, 'status')['config'] === undefined ? withoutStatusConfig(next) : next),
};

function withoutConfig(object: ApiObject): ApiObject {
  return withoutStatusConfig(withSpec(object, { configSource: undefined }));
}

function withoutStatusConfig(next: ApiObject): ApiObject {
  return next['status'] === undefined ? next : { ...next, status: withMembers(partOf(next, 'status'), { config: undefined }) };
}
