import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { type ElectedOptions, startElected } from '../../../client/index.ts';
import {
  allControllers,
  type ControllerManagerOptions,
  compileDeviceSelector,
  createSandboxes,
  createSecretTokenSigner,
  startNodes,
  startScheduler,
  startSelectedControllers,
} from '../../../cluster/index.ts';
import type { Env } from '../../../env/index.ts';
import { createUserApi } from '../../../kubectl/kubeconfig/index.ts';
import { type Product, productByName } from '../../../meta/index.ts';
import { createCertificateAuthority } from '../../certificate-authority.ts';
import { componentApis } from '../../components/component-apis.ts';
import { loadContainers } from '../../load-containers.ts';
import { readSigningKey } from '../auth/token-keys.ts';
import { readNamedFile } from '../config/named-file.ts';
import { loadNodes } from '../config/node-config.ts';
import { loadSchedulerConfig } from '../config/scheduler-config.ts';
import { nodeFiles } from '../kubectl/node-files.ts';
import { programPlugins } from '../kubectl/plugin-host.ts';
import { createServerConnect } from '../kubectl/server-handler.ts';
import type { ComponentFlags } from './component-flags.ts';
import { readSigner } from './read-signer.ts';

type Start<Options> = (options: Options) => () => void;

/**
 * `tabplane components`: starts controllers, scheduler and simulated nodes as clients of the server of a kubeconfig. The returned function
 * stops them. @throws FlagError, KubectlError
 */
export async function runComponents(flags: ComponentFlags, env: Env): Promise<() => void> {
  const { clock, log, random } = env;
  const product = productByName(flags.names);
  const host = hostname();
  const { api, authority } = await createUserApi({
    files: nodeFiles,
    file: resolve(flags.kubeconfig),
    clock,
    product,
    connect: createServerConnect(),
    host: programPlugins,
    known: new Map(),
  });
  const apis = componentApis(api, product);
  const shared = { clock, log, product, clientRate: flags.clientRate };
  const identity = `${host}_${random.uuid()}`;
  const start = <Options extends ElectedOptions>(lease: string, run: Start<Options>, options: Options): (() => void) =>
    flags.leaderElect ? startElected(run, options, { lease, identity }) : run(options);

  const signers = await loadSigners(flags, product, () => clock.nowMs());
  const configuration = await loadSchedulerConfig(flags.schedulerConfig, product);
  const nodes = flags.nodes === undefined ? undefined : await loadNodes(flags.nodeConfig, flags.nodes);
  const stops: (() => void)[] = [];
  if (flags.controllers.length > 0) {
    const enabled = flags.accountKey === '' ? ['-serviceaccount-token-controller', ...flags.controllers] : flags.controllers;
    const run = startSelectedControllers;
    const options = {
      ...shared,
      ...signers,
      clusterCidrs: flags.clusterCidrs,
      api: apis.controllerManager,
      accountApi: apis.controllerAccount,
    };
    const rootAuthority = signers.rootAuthority ?? authority;
    stops.push(start('kube-controller-manager', (own) => run(own, { available: allControllers, enabled }), { ...options, rootAuthority }));
  }
  if (flags.scheduler) {
    const loadDeviceSelectors = async (): Promise<typeof compileDeviceSelector> => compileDeviceSelector;
    stops.push(
      start('kube-scheduler', startScheduler, { ...shared, random, host, configuration, loadDeviceSelectors, api: apis.scheduler }),
    );
  }
  if (nodes) {
    const options = { ...env, ...shared, api: apis.nodeManager, apiOf: apis.node };
    stops.push(start('simulated-nodes', (own) => startNodes({ ...own, createSandboxes: createSandboxes(loadContainers) }, nodes), options));
  }
  return () => {
    for (const stop of stops.reverse()) stop();
  };
}

/** The files of the controller manager. */
async function loadSigners(
  { accountKey, clusterSigning, rootAuthority }: ComponentFlags,
  product: Product,
  nowMs: () => number,
): Promise<Pick<ControllerManagerOptions, 'rootAuthority' | 'certificateAuthority' | 'signSecretToken'>> {
  const signing = accountKey === '' ? undefined : await readSigningKey(accountKey);
  return {
    rootAuthority: rootAuthority === '' ? undefined : await readNamedFile(rootAuthority),
    certificateAuthority: clusterSigning && createCertificateAuthority(await readSigner(clusterSigning), nowMs),
    signSecretToken: signing
      ? createSecretTokenSigner(signing, product)
      : () => Promise.reject(new Error('--service-account-private-key-file is not given')),
  };
}
