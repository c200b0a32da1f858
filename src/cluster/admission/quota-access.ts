import type { ObjectSource, QuotaAccess } from '../../admission/index.ts';
import { type ApiClient, hasStatus } from '../../client/index.ts';
import type { Product } from '../../meta/index.ts';
import { type corev1, corev1ResourceQuotas } from '../../schema/api/index.ts';

interface QuotaWriter {
  readonly client: () => ApiClient;
  readonly product: Product;
}

/** Reads quotas from the store, and writes their status through the API. */
export function createQuotaAccess(quotas: ObjectSource, { client, product }: QuotaWriter): QuotaAccess {
  return {
    list: (namespace) => quotas.list(namespace),
    async updateStatus(quota) {
      const options = { subresource: 'status', fieldManager: product.rename('kube-apiserver') };
      try {
        await client()
          .resource(corev1ResourceQuotas)
          .update(quota as unknown as corev1.ResourceQuota, options);
        return true;
      } catch (error) {
        if (hasStatus(error, 404, 409)) return false;
        throw error;
      }
    },
  };
}
