/** Creates the resource claims of pods, and frees them. */

import { cacheKeyOf } from '../../client/index.ts';
import {
  type corev1,
  corev1Pods,
  type resourcev1,
  resourcev1ResourceClaims,
  resourcev1ResourceClaimTemplates,
} from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { startWorkers } from '../start-workers.ts';
import type { ClaimEnvironment } from './claim-environment.ts';
import { CreatedClaims } from './created-claims.ts';
import { claimNamesOfPod, isPodDone, needsWork, owningPod } from './pod-claims.ts';
import { syncClaim } from './sync-claim.ts';
import { syncPod } from './sync-pod.ts';

const byClaim = 'resourceClaim';
const byOwner = 'owningPod';
const podPrefix = 'pod:';
const claimPrefix = 'claim:';

/** Cf. pkg/controller/resourceclaim. */
export const resourceClaims: Controller = (context) => {
  const { client, clock, informers, product } = context;
  const pods = informers.informer(corev1Pods);
  const claims = informers.informer(resourcev1ResourceClaims);
  const templates = informers.informer(resourcev1ResourceClaimTemplates);
  pods.store.addIndex(byClaim, (pod) => claimNamesOfPod(pod).map((name) => `${pod.metadata.namespace}/${name}`));
  claims.store.addIndex(byOwner, (claim) => [owningPod(claim)?.uid ?? '']);
  const created = new CreatedClaims(claims.store, clock);
  const environment: ClaimEnvironment = {
    client,
    recorder: createEventRecorder(context, 'resource_claim'),
    pods: pods.store,
    claims: claims.store,
    templates: templates.store,
    generatedFor: ({ metadata: { uid = '' } }) => [...claims.store.byIndex(byOwner, uid), ...created.ownedBy(uid)],
    addCreated: (claim) => created.add(claim),
    podClaimAnnotation: product.rename('resource.kubernetes.io/pod-claim-name'),
    finalizer: product.rename('resource.kubernetes.io/delete-protection'),
  };

  const reconcile = async (key: string): Promise<void> => {
    if (key.startsWith(podPrefix)) {
      const pod = pods.store.get(key.slice(podPrefix.length));
      if (pod) await syncPod(pod, environment);
    } else {
      const claim = claims.store.get(key.slice(claimPrefix.length));
      if (claim) await syncClaim(claim, environment);
    }
  };
  const queue = startWorkers({ name: 'resourceclaim-controller', informers: [pods, claims, templates], reconcile }, context);

  const onPod = (pod: corev1.Pod, isRemoved: boolean): void => {
    const { namespace } = pod.metadata;
    if (isRemoved || isPodDone(pod)) for (const name of claimNamesOfPod(pod)) queue.add(`${claimPrefix}${namespace}/${name}`);
    if (!isRemoved && needsWork(pod, (name) => claims.store.get(`${namespace}/${name}`))) queue.add(podPrefix + cacheKeyOf(pod));
  };
  const onPodChange = (pod: corev1.Pod): void => {
    if ((pod.spec.resourceClaims ?? []).length > 0) onPod(pod, false);
  };
  pods.addHandler({ onAdd: onPodChange, onUpdate: onPodChange, onDelete: (pod) => onPod(pod, true) });
  const enqueuePodsOf = (claim: resourcev1.ResourceClaim): void => {
    for (const pod of pods.store.byIndex(byClaim, cacheKeyOf(claim))) onPodChange(pod);
  };
  const onClaim = (claim: resourcev1.ResourceClaim): void => {
    queue.add(claimPrefix + cacheKeyOf(claim));
    enqueuePodsOf(claim);
  };
  claims.addHandler({ onAdd: onClaim, onUpdate: onClaim, onDelete: enqueuePodsOf });
};
