import { errorMessage } from '../../env/index.ts';
import { goQuote } from '../../meta/index.ts';
import { type corev1, corev1Pods, type resourcev1, resourcev1ResourceClaims } from '../../schema/api/index.ts';
import { isControlledBy, newControllerReference } from '../pods/index.ts';
import type { ClaimEnvironment } from './claim-environment.ts';
import { claimNameOf, generatedClaimPrefix, needsReservation } from './pod-claims.ts';

/** Creates the claims of a pod from templates, and reserves allocated ones. Cf. pkg/controller/resourceclaim syncPod. */
export async function syncPod(pod: corev1.Pod, environment: ClaimEnvironment): Promise<void> {
  if (pod.metadata.deletionTimestamp !== undefined) return;
  const { namespace = '', name = '' } = pod.metadata;
  const created = new Map<string, string>();
  for (const podClaim of pod.spec.resourceClaims ?? []) {
    try {
      const claim = await generateClaim(pod, podClaim, environment);
      if (claim !== undefined) created.set(podClaim.name, claim);
    } catch (error) {
      const text = `PodResourceClaim ${podClaim.name}: ${errorMessage(error)}`;
      environment.recorder.event(pod, 'Warning', 'FailedResourceClaimCreation', text);
      throw new Error(`pod ${namespace}/${name}, ${text}`);
    }
  }
  if (created.size > 0) {
    const known = (pod.status.resourceClaimStatuses ?? []).filter((one) => !created.has(one.name));
    const added = [...created].map(([claim, resourceClaimName]) => ({ name: claim, resourceClaimName }));
    const configuration = { metadata: { namespace, name }, status: { resourceClaimStatuses: [...known, ...added] } };
    await environment.client.resource(corev1Pods).apply(configuration, { subresource: 'status', fieldManager: 'ResourceClaimController' });
  }
  if (pod.spec.nodeName) await reserveClaims(pod, environment);
}

/** Pods that were not placed by the scheduler reserve their claims here. */
async function reserveClaims(pod: corev1.Pod, { claims, client }: ClaimEnvironment): Promise<void> {
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  for (const podClaim of pod.spec.resourceClaims ?? []) {
    const claimName = claimNameOf(pod, podClaim);
    if (!claimName) continue;
    const claim = claims.get(`${namespace}/${claimName}`);
    if (!claim) return;
    if (podClaim.resourceClaimTemplateName !== undefined && !isControlledBy(claim, pod)) {
      throw new Error(`ResourceClaim ${namespace}/${claimName} was not created for pod ${namespace}/${name} (pod is not owner)`);
    }
    if (!needsReservation(pod, claim)) continue;
    const reservedFor = [...(claim.status?.reservedFor ?? []), { resource: 'pods', name, uid }];
    await client.resource(resourcev1ResourceClaims).updateStatus({ ...claim, status: { ...claim.status, reservedFor } });
  }
}

/** Returns the name of a claim that is new in the status of the pod. Cf. handleClaim. */
async function generateClaim(
  pod: corev1.Pod,
  podClaim: corev1.PodResourceClaim,
  environment: ClaimEnvironment,
): Promise<string | undefined> {
  const { namespace = '', name: podName = '' } = pod.metadata;
  const known = claimNameOf(pod, podClaim);
  const existing = known ? environment.claims.get(`${namespace}/${known}`) : undefined;
  const { resourceClaimTemplateName: templateName } = podClaim;
  if (known === null || templateName === undefined || (existing && isControlledBy(existing, pod))) return undefined;
  const annotation = environment.podClaimAnnotation;
  const isMatch = (claim: resourcev1.ResourceClaim): boolean => claim.metadata.annotations?.[annotation] === podClaim.name;
  const orphan = environment.generatedFor(pod).find(isMatch);
  if (orphan) return orphan.metadata.name;
  const template = environment.templates.get(`${namespace}/${templateName}`);
  if (!template) {
    const resource = environment.client.options.product.rename('resourceclaimtemplate.resource.k8s.io');
    throw new Error(`resource claim template ${goQuote(templateName)}: ${resource} ${goQuote(templateName)} not found`);
  }
  const { annotations, labels } = template.spec.metadata ?? {};
  const request = {
    metadata: {
      generateName: generatedClaimPrefix(podName, podClaim.name),
      namespace,
      ownerReferences: [newControllerReference(pod)],
      annotations: { ...annotations, [annotation]: podClaim.name },
      ...(labels ? { labels } : {}),
    },
    spec: template.spec.spec,
  };
  const claim = await environment.client
    .resource(resourcev1ResourceClaims)
    .create(request)
    .catch((error: unknown) => {
      throw new Error(`create ResourceClaim : ${errorMessage(error)}`);
    });
  environment.addCreated(claim);
  return claim.metadata.name;
}
