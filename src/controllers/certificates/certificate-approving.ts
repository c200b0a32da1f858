import { cacheKeyOf, createControllerRateLimiter, IgnorableError } from '../../client/index.ts';
import { formatTime, goQuote } from '../../meta/index.ts';
import {
  authorizationv1SubjectAccessReviews,
  type certificatesv1,
  certificatesv1CertificateSigningRequests,
} from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { startWorkers } from '../start-workers.ts';
import { isIssued, retryBaseMs } from './certificate-conditions.ts';
import { checkKubeletClient } from './signers.ts';

const name = 'certificatesigningrequest-approving-controller';

type Request = certificatesv1.CertificateSigningRequest;

/** Approves the certificates of kubelets. Cf. pkg/controller/certificates/approver. */
export const certificateApproving: Controller = (context) => {
  const { certificateAuthority: authority, client, clock, informers, product } = context;
  if (!authority) return;
  const requests = informers.informer(certificatesv1CertificateSigningRequests);
  const signer = product.rename('kubernetes.io/kube-apiserver-client-kubelet');
  const group = product.rename('certificates.k8s.io');
  const resource = 'certificatesigningrequests';

  const mayCreate = async ({ spec }: Request, subresource: string): Promise<boolean> => {
    const { username: user = '', uid = '', groups = [], extra = {} } = spec;
    const resourceAttributes = { group, version: '*', resource, subresource, verb: 'create' };
    const review = { spec: { user, uid, groups, extra, resourceAttributes } };
    const { status } = await client.resource(authorizationv1SubjectAccessReviews).create(review);
    return status.allowed;
  };

  const approve = async (request: Request, message: string): Promise<void> => {
    const now = formatTime(clock.nowMs());
    const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message, lastUpdateTime: now, lastTransitionTime: now };
    const conditions = [...(request.status.conditions ?? []), condition];
    const approved = { ...request, status: { ...request.status, conditions } };
    await ignoreStaleWrite(client.resource(certificatesv1CertificateSigningRequests).update(approved, { subresource: 'approval' }));
  };

  const reconcile = async (key: string): Promise<void> => {
    const request = requests.store.get(key);
    if (!request || isIssued(request) || request.spec.signerName !== signer) return;
    if ((request.status.conditions ?? []).some(({ type }) => type === 'Approved' || type === 'Denied')) return;
    const described = await clock.hostWork(authority.readRequest(atob(request.spec.request ?? '')));
    if (checkKubeletClient(described, request.spec.usages ?? []) !== undefined) return;
    const isOwn = request.spec.username === described.commonName;
    if (isOwn && (await mayCreate(request, 'selfnodeclient'))) {
      return approve(request, 'Auto approving self kubelet client certificate after SubjectAccessReview.');
    }
    if (await mayCreate(request, 'nodeclient')) {
      return approve(request, 'Auto approving kubelet client certificate after SubjectAccessReview.');
    }
    throw new IgnorableError(`recognized csr ${goQuote(key)} but subject access review was not approved`);
  };
  const rateLimiter = createControllerRateLimiter<string>(clock, { baseMs: retryBaseMs });
  const queue = startWorkers({ name, informers: [requests], reconcile, rateLimiter }, context);
  const enqueue = (request: Request): void => queue.add(cacheKeyOf(request));
  requests.addHandler({ onAdd: enqueue, onUpdate: enqueue });
};
