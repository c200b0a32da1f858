import type { ApiObject } from '../../../meta/index.ts';
import { type KindRow, partOf, withMembers, withSpec } from '../row.ts';

/** A node says all of itself, status included; that it be configured from a ConfigMap is a feature of the past. */
export const node: KindRow = {
  keepsStatus: true,
  create: (object) => withoutConfig(object),
  update: (next, old) => (partOf(old, 'spec')['configSource'] === undefined ? withSpec(next, { configSource: undefined }) : next),
};

function withoutConfig(object: ApiObject): ApiObject {
  const next = withSpec(object, { configSource: undefined });
  return next['status'] === undefined ? next : { ...next, status: withMembers(partOf(next, 'status'), { config: undefined }) };
}
