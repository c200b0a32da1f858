import type { Clock } from '../../env/index.ts';
import type { Product } from '../../meta/index.ts';
import type { metav1 } from '../../schema/api/index.ts';
import { type ApiClient, pageSize } from '../api/index.ts';
import { ListWatchInformer, type SharedInformer } from './shared-informer.ts';

/** The metadata of an object without the rest of it. Its kind is PartialObjectMetadata, whatever the kind of the object. */
export interface ObjectMetadata {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
}

interface MetadataClient {
  readonly client: ApiClient;
  readonly clock: Clock;
}

/**
 * Caches the metadata of a collection, such as `/apis/apps/v1/deployments`, in all namespaces or in one. Not shared, so that it can end
 * with its resource. Cf. client-go metadata/metadatainformer.
 */
export function createMetadataInformer(
  { client, clock }: MetadataClient,
  path: string,
  signal: AbortSignal,
): SharedInformer<ObjectMetadata> {
  const { api, product } = client.options;
  const accept = { list: metadataListType(product), watch: metadataType(product) };
  const type = { kind: 'PartialObjectMetadata', apiVersion: `${product.rename('meta.k8s.io')}/v1` };
  return new ListWatchInformer<ObjectMetadata>({ api, clock, path, accept, pageSize }, type, signal);
}

/** The media type of a list of metadata. */
export function metadataListType(product: Pick<Product, 'rename'>): string {
  return mediaType(product, 'PartialObjectMetadataList');
}

/** The media type of the metadata of one object. */
export function metadataType(product: Pick<Product, 'rename'>): string {
  return mediaType(product, 'PartialObjectMetadata');
}

function mediaType({ rename }: Pick<Product, 'rename'>, kind: string): string {
  return `application/json;as=${kind};g=${rename('meta.k8s.io')};v=v1`;
}
