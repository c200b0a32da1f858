import { type JsonObject, type LabelOperator, omitEmpty, type Product } from '../../meta/index.ts';
import type { Attributes } from '../attributes.ts';

/** The spec of a SubjectAccessReview, in upstream's member order. */
export function createReviewSpec(attributes: Attributes): JsonObject {
  const { user, isResourceRequest, verb, path } = attributes;
  return {
    ...(isResourceRequest ? { resourceAttributes: resourceOf(attributes) } : { nonResourceAttributes: { ...omitEmpty({ path, verb }) } }),
    ...omitEmpty({ user: user.username }),
    ...(user.groups.length === 0 ? {} : { groups: user.groups }),
    ...(Object.keys(user.extra).length === 0 ? {} : { extra: user.extra }),
    ...omitEmpty({ uid: user.uid }),
  };
}

function resourceOf(attributes: Attributes): JsonObject {
  const { namespace, verb, group, version, resource, subresource, name } = attributes;
  const { field, label } = attributes.selectors();
  const fields = field.map((one) => ({ key: one.field, operator: one.equal ? 'In' : 'NotIn', values: [one.value] }));
  const labels = label.flatMap(({ key, operator, values }) => {
    const shown = labelOperators[operator];
    return shown === undefined ? [] : [{ key, operator: shown, ...(values.length === 0 ? {} : { values }) }];
  });
  return {
    ...omitEmpty({ namespace, verb, group, version, resource, subresource, name }),
    ...(fields.length === 0 ? {} : { fieldSelector: { requirements: fields } }),
    ...(labels.length === 0 ? {} : { labelSelector: { requirements: labels } }),
  };
}

/** Reviews have no operators for greater and less: such requirements are omitted. */
const labelOperators: Readonly<Partial<Record<LabelOperator, string>>> = {
  in: 'In',
  '=': 'In',
  '==': 'In',
  notin: 'NotIn',
  '!=': 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

/** The SubjectAccessReview to post. */
export function createReview(reviewSpec: JsonObject, version: 'v1' | 'v1beta1', product: Product): JsonObject {
  const { groups, ...others } = reviewSpec;
  // v1beta1 names the member `group`.
  const spec = version === 'v1' || groups === undefined ? reviewSpec : inOldOrder(others, groups);
  return {
    kind: 'SubjectAccessReview',
    apiVersion: `${product.rename('authorization.k8s.io')}/${version}`,
    metadata: {},
    spec,
    status: { allowed: false },
  };
}

function inOldOrder({ extra, uid, ...others }: JsonObject, group: JsonObject[string]): JsonObject {
  return { ...others, group, ...(extra === undefined ? {} : { extra }), ...(uid === undefined ? {} : { uid }) };
}
