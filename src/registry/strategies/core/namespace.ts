import { type ApiObject, recordAt } from '../../../meta/index.ts';
import { type KindRow, withSpec } from '../kind-row.ts';

/** A namespace has a finalizer in its spec, which only /finalize changes. Cf. upstream namespaceStrategy. */
export const namespace: KindRow = {
  statusOnCreate: () => ({ phase: 'Active' }),
  create(object, { product }) {
    const { namespaceFinalizer } = product.names;
    const given = finalizersOf(object);
    return given.includes(namespaceFinalizer) ? object : withSpec(object, { finalizers: [...given, namespaceFinalizer] });
  },
  update: (next, old) => withSpec(next, { finalizers: finalizersOf(old).length > 0 ? finalizersOf(old) : undefined }),
  subresources: {
    finalize: (next, old) => ({ ...next, status: old['status'] }),
  },
};

function finalizersOf(object: ApiObject): readonly string[] {
  const finalizers = recordAt(object, 'spec')['finalizers'];
  return Array.isArray(finalizers) ? (finalizers as readonly string[]) : [];
}
