import { recordAt, textAt } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';
import type { Configure, Generate } from './plugin.ts';
import { Resource } from './resource.ts';

/** Makes the ServiceAccount that is bound to one of the cloud. Cf. kustomize filters/iampolicygenerator. */
export const policyGenerator: Configure<Generate> = (_folder, config) => async () => {
  const cloud = textAt(config, 'cloud');
  if (cloud !== 'gke') throw new KubectlError(`cloud provider ${cloud} not supported yet`);
  const [account, service] = [recordAt(config, 'serviceAccount'), recordAt(config, 'kubernetesService')];
  const namespace = textAt(service, 'namespace');
  const email = `${textAt(account, 'name')}@${textAt(account, 'projectId')}.iam.gserviceaccount.com`;
  const metadata = {
    annotations: { 'iam.gke.io/gcp-service-account': email },
    name: textAt(service, 'name'),
    ...(namespace === '' ? {} : { namespace }),
  };
  return [new Resource({ apiVersion: 'v1', kind: 'ServiceAccount', metadata })];
};
