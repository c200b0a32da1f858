import { type ApiObject, type Json, type JsonObject, objectsAt, recordAt, textAt } from '../../../meta/index.ts';
import type { StrategyContext } from '../../strategy.ts';
import { type KindRow, withMembers } from '../kind-row.ts';

/** The server records the requester; the request is immutable. Cf. upstream csrStrategy. */
export const certificateSigningRequest: KindRow = {
  resets: {
    '': [['spec'], ['status']],
    status: [['spec'], ['status', 'conditions']],
    approval: [['spec'], ['status', 'certificate']],
  },
  create: withRequester,
  update: (next, old) => ({ ...next, spec: old['spec'] }),
  updateStatus: (next, old, { now }) => withTimes(withDecisions(next, old), old, now),
  subresources: {
    approval(next, old, { now }) {
      const conditions = objectsAt(recordAt(withTimes(next, old, now), 'status'), 'conditions');
      const status = withMembers({ conditions }, { certificate: recordAt(old, 'status')['certificate'] });
      return { ...next, spec: old['spec'], status: conditions.length > 0 ? status : withMembers(status, { conditions: undefined }) };
    },
  },
};

function withRequester(object: ApiObject, { requester }: StrategyContext): ApiObject {
  const spec = recordAt(object, 'spec');
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

function conditionsOf(object: ApiObject): readonly JsonObject[] {
  return objectsAt(recordAt(object, 'status'), 'conditions');
}

function withConditions(object: ApiObject, conditions: readonly JsonObject[]): ApiObject {
  return conditions.length === 0 ? object : { ...object, status: withMembers(recordAt(object, 'status'), { conditions: [...conditions] }) };
}

/** Only /approval sets Approved and Denied: a status update retains them. */
function withDecisions(object: ApiObject, old: ApiObject): ApiObject {
  let conditions = conditionsOf(object);
  for (const type of ['Approved', 'Denied']) {
    const isOfType = (condition: JsonObject): boolean => textAt(condition, 'type') === type;
    const before = conditionsOf(old).filter(isOfType);
    if (before.length !== conditions.filter(isOfType).length) continue;
    let next = 0;
    conditions = conditions.map((condition) => (isOfType(condition) ? (before[next++] ?? condition) : condition));
  }
  return withConditions(object, conditions);
}

/** Sets `lastUpdateTime` and `lastTransitionTime` of conditions. Cf. upstream populateConditionTimestamps. */
function withTimes(object: ApiObject, old: ApiObject, now: string): ApiObject {
  const key = (condition: JsonObject): string => `${textAt(condition, 'status')} ${textAt(condition, 'type')}`;
  const known = conditionsOf(old).filter((one) => isSet(one['lastTransitionTime']));
  // The first condition of a type and status counts.
  const times = new Map(known.map((one) => [key(one), one['lastTransitionTime']] as const).reverse());
  const conditions = conditionsOf(object).map((condition) => {
    const { lastUpdateTime, lastTransitionTime, ...rest } = condition;
    const since = times.get(key(condition));
    return {
      ...rest,
      lastUpdateTime: isSet(lastUpdateTime) ? lastUpdateTime : now,
      lastTransitionTime: isSet(lastTransitionTime) ? lastTransitionTime : (since ?? now),
    } as JsonObject;
  });
  return withConditions(object, conditions);
}

function isSet(value: Json | undefined): boolean {
  return typeof value === 'string' && value !== '';
}
