import { type ApiHandler, type Product, withHeaders } from '../../meta/index.ts';

/** The API with the identities of components. */
export interface ComponentApis {
  readonly controllerManager: ApiHandler;
  readonly scheduler: ApiHandler;
  readonly nodeManager: ApiHandler;
  /** The identity of the service account of a controller. */
  controllerAccount(account: string): ApiHandler;
  /** The identity of a simulated node. */
  node(name: string): ApiHandler;
}

/** `api`: the API with the credentials of a user that may impersonate all others. The components' names become field managers. */
export function componentApis(api: ApiHandler, product: Product): ComponentApis {
  const component = (name: string, user: string, group?: string): ApiHandler =>
    withHeaders(api, [
      ['impersonate-user', user],
      ...(group === undefined ? [] : [['impersonate-group', group] as const]),
      ['user-agent', `${name}/v1`],
    ]);
  const controllerManager = product.rename('kube-controller-manager');
  const accounts = `system:serviceaccount:${product.names.systemNamespace}`;
  return {
    controllerManager: component(controllerManager, 'system:apiserver', 'system:masters'),
    scheduler: component(product.rename('kube-scheduler'), product.rename('system:kube-scheduler'), 'system:authenticated'),
    nodeManager: component('kwok', 'system:apiserver', 'system:masters'),
    // The groups of a service account are implied.
    controllerAccount: (account) => component(controllerManager, `${accounts}:${account}`),
    node: (name) => component('kubelet', `system:node:${name}`, 'system:nodes'),
  };
}
