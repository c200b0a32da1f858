import type { ApiClient, EventRecorder, Indexer } from '../../client/index.ts';
import type { corev1, resourcev1 } from '../../schema/api/index.ts';

/** What the reconciliations of pods and claims share. */
export interface ClaimEnvironment {
  readonly client: ApiClient;
  readonly recorder: Pick<EventRecorder, 'event'>;
  readonly pods: Pick<Indexer<corev1.Pod>, 'get'>;
  readonly claims: Pick<Indexer<resourcev1.ResourceClaim>, 'get'>;
  readonly templates: Pick<Indexer<resourcev1.ResourceClaimTemplate>, 'get'>;
  /** The claims that were generated for a pod, also created ones that are not in the cache. */
  generatedFor(pod: corev1.Pod): readonly resourcev1.ResourceClaim[];
  addCreated(claim: resourcev1.ResourceClaim): void;
  readonly podClaimAnnotation: string;
  /** The finalizer of allocated claims. */
  readonly finalizer: string;
}
