import type { ApiObject, Json } from '../../../meta/index.ts';
import type { certificatesv1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
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
      const conditions = conditionsOf(withTimes(next, old, now));
      const { status: before }: SigningRequest = old;
      const status = withMembers({ conditions }, { certificate: before?.certificate });
      return { ...next, spec: old['spec'], status: conditions.length > 0 ? status : withMembers(status, { conditions: undefined }) };
    },
  },
};

type SigningRequest = Decoded<certificatesv1.CertificateSigningRequest>;
type Condition = Decoded<certificatesv1.CertificateSigningRequestCondition>;

function withRequester(object: ApiObject, { requester }: StrategyContext): ApiObject {
  const { spec = {} }: SigningRequest = object;
  const extra = Object.entries(requester.extra).map(([key, values]): readonly [string, Json] => [key, [...values]]);
  return {
    ...object,
    spec: withMembers(
      { request: spec.request ?? null },
      {
        signerName: spec.signerName,
        expirationSeconds: spec.expirationSeconds,
        usages: spec.usages,
        username: requester.username === '' ? undefined : requester.username,
        uid: requester.uid === '' ? undefined : requester.uid,
        groups: requester.groups.length > 0 ? [...requester.groups] : undefined,
        extra: extra.length > 0 ? Object.fromEntries(extra) : undefined,
      },
    ),
  };
}

function conditionsOf({ status }: SigningRequest): readonly Condition[] {
  return status?.conditions ?? [];
}

function withConditions(object: ApiObject, conditions: readonly Condition[]): ApiObject {
  const { status }: SigningRequest = object;
  return conditions.length === 0 ? object : { ...object, status: { ...status, conditions } };
}

/** Only /approval sets Approved and Denied: a status update retains them. */
function withDecisions(object: ApiObject, old: ApiObject): ApiObject {
  let conditions = conditionsOf(object);
  for (const type of ['Approved', 'Denied']) {
    const isOfType = (condition: Condition): boolean => condition.type === type;
    const before = conditionsOf(old).filter(isOfType);
    if (before.length !== conditions.filter(isOfType).length) continue;
    let next = 0;
    conditions = conditions.map((condition) => (isOfType(condition) ? (before[next++] ?? condition) : condition));
  }
  return withConditions(object, conditions);
}

/** Sets `lastUpdateTime` and `lastTransitionTime` of conditions. Cf. upstream populateConditionTimestamps. */
function withTimes(object: ApiObject, old: ApiObject, now: string): ApiObject {
  const key = ({ status = '', type = '' }: Condition): string => `${status} ${type}`;
  const known = conditionsOf(old).filter(({ lastTransitionTime }) => lastTransitionTime);
  // The first condition of a type and status counts.
  const times = new Map(known.map((one) => [key(one), one.lastTransitionTime] as const).reverse());
  const conditions = conditionsOf(object).map((condition): Condition => {
    const { lastUpdateTime, lastTransitionTime, ...rest } = condition;
    const since = times.get(key(condition));
    return {
      ...rest,
      lastUpdateTime: lastUpdateTime || now,
      lastTransitionTime: lastTransitionTime || (since ?? now),
    };
  });
  return withConditions(object, conditions);
}
