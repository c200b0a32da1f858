import type { ApiObject, Json, JsonObject } from '../../../meta/index.ts';
import type { StrategyContext } from '../../strategy.ts';
import { itemsOf, type KindRow, partOf, textOf, withMembers } from '../row.ts';

/** Who asks for a certificate is written down by the server; what was asked never changes. Cf. upstream csrStrategy. */
export const certificateSigningRequest: KindRow = {
  create: withRequester,
  update: (next, old) => ({ ...next, spec: old['spec'] }),
  updateStatus: (next, old) => withDecisions(next, itemsOf(partOf(old, 'status'), 'conditions')),
  subresources: {
    approval(next, old) {
      const conditions = itemsOf(partOf(next, 'status'), 'conditions');
      const status = withMembers({ conditions }, { certificate: partOf(old, 'status')['certificate'] });
      return { ...next, spec: old['spec'], status: conditions.length > 0 ? status : withMembers(status, { conditions: undefined }) };
    },
  },
};

function withRequester(object: ApiObject, { requester }: StrategyContext): ApiObject {
  const spec = partOf(object, 'spec');
  const extra = Object.entries(requester.extra).map(([key, values]): readonly [string, Json] => [key, [...values]]);
  return {
    ...object,
    spec: withMembers(
      { request: spec['request'] ?? null },
      {
        signerName: spec['signerName'],
        expirationSeconds: spec['expirationSeconds'],
        usages: spec['usages'],
        username: requester.username === '' ? undefined : requester.username,
        uid: requester.uid === '' ? undefined : requester.uid,
        groups: requester.groups.length > 0 ? [...requester.groups] : undefined,
        extra: extra.length > 0 ? Object.fromEntries(extra) : undefined,
      },
    ),
  };
}

/** Approved and Denied are said by /approval alone; a write to the status neither adds nor drops them. */
function withDecisions(object: ApiObject, before: readonly JsonObject[]): ApiObject {
  const isDecision = (condition: JsonObject): boolean => ['Approved', 'Denied'].includes(textOf(condition, 'type'));
  const status = partOf(object, 'status');
  const conditions = [...before.filter(isDecision), ...itemsOf(status, 'conditions').filter((one) => !isDecision(one))];
  return { ...object, status: withMembers(status, { conditions: conditions.length > 0 ? conditions : undefined }) };
}
