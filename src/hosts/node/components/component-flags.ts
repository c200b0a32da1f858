import { baseControllerNames, resolveControllerAliases, validateControllers } from '../../../cluster/index.ts';
import type { ProductName } from '../../../meta/index.ts';
import { clientRateFlagRows, readClientRate } from '../flags/client-rate-flags.ts';
import { clusterCidrFlagRows, readClusterCidrs } from '../flags/cluster-cidr-flags.ts';
import { FlagError } from '../flags/flag-error.ts';
import type { FlagRow } from '../flags/flag-rows.ts';
import { oneOf, productOf } from '../flags/flag-values.ts';
import { helpLine, type ServeFlags } from '../flags/flags.ts';
import { readFlags } from '../flags/read-flags.ts';

/** The parsed command line of `components`. */
export interface ComponentFlags
  extends Pick<
    ServeFlags,
    'clientRate' | 'clusterCidrs' | 'controllers' | 'scheduler' | 'schedulerConfig' | 'nodes' | 'nodeConfig' | 'logLevel' | 'help'
  > {
  readonly names: ProductName;
  readonly kubeconfig: string;
  /** Whether components run only while this process holds their leases. */
  readonly leaderElect: boolean;
  /** PEM files of the CA that signs certificate requests; undefined: they are neither approved nor signed. */
  readonly clusterSigning: { readonly certificate: string; readonly key: string } | undefined;
  /** PEM file of the root CA for pods; empty: the authority of the kubeconfig. */
  readonly rootAuthority: string;
  /** PEM file of the key that signs tokens in secrets; empty: none are signed. */
  readonly accountKey: string;
}

/** Flags of kube-controller-manager and kube-scheduler by their names, and those of `serve` for nodes. */
const componentFlagRows: readonly FlagRow[] = [
  { name: 'kubeconfig', type: 'string', initial: '', value: 'FILE', about: 'kubeconfig of a user who may impersonate others' },
  {
    name: 'names',
    type: 'string',
    initial: 'kubernetes',
    value: 'kubernetes|svc',
    about: 'product names of the server: kubernetes, or svc for the neutral ones',
  },
  {
    name: 'controllers',
    type: 'strings',
    initial: ['*', ...baseControllerNames].join(','),
    value: 'NAME,…',
    about: "controllers to run: '*' enables all that are on by default, '-name' disables one, and the empty list disables all",
  },
  ...clientRateFlagRows,
  ...clusterCidrFlagRows,
  { name: 'scheduler', type: 'bool', initial: 'true', value: '', about: 'run the scheduler' },
  {
    name: 'scheduler-config',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: "path to the scheduler's configuration file: a KubeSchedulerConfiguration, as for --config of kube-scheduler",
  },
  {
    name: 'simulate-nodes',
    type: 'bool',
    initial: 'true',
    value: '',
    about: 'run simulated nodes, and Node objects with the annotation kwok.x-k8s.io/node: fake',
  },
  { name: 'nodes', type: 'int', initial: '3', value: 'COUNT', about: 'number of simulated nodes, besides annotated Node objects' },
  {
    name: 'node-config',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'Node objects to simulate in place of --nodes, with labels, taints and status.capacity',
  },
  {
    name: 'leader-elect',
    type: 'bool',
    initial: 'true',
    value: '',
    about: 'start each component when this process has acquired its lease, so that several processes may run',
  },
  {
    name: 'cluster-signing-cert-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'PEM-encoded X509 CA certificate that signs certificate requests; if empty, they are neither approved nor signed',
  },
  { name: 'cluster-signing-key-file', type: 'string', initial: '', value: 'FILE', about: 'PEM-encoded key of --cluster-signing-cert-file' },
  {
    name: 'root-ca-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'root CA that is published to service accounts; if empty, the certificate-authority-data of the kubeconfig',
  },
  {
    name: 'service-account-private-key-file',
    type: 'string',
    initial: '',
    value: 'FILE',
    about: 'PEM-encoded private RSA or ECDSA key that signs tokens in secrets; if empty, none are signed',
  },
  { name: 'log-level', type: 'string', initial: 'warn', value: 'error|warn|info', about: 'minimum severity of log messages' },
  { name: 'help', type: 'bool', initial: 'false', value: '', about: 'print this help', short: 'h' },
];

/** @throws FlagError */
export function parseComponentFlags(words: readonly string[]): ComponentFlags {
  const { values, others } = readFlags(words, componentFlagRows);
  const [first] = others;
  if (first !== undefined) throw new FlagError(`Error: unknown command ${JSON.stringify(first)} for "components"`);
  const help = values.truth('help');
  const kubeconfig = values.text('kubeconfig');
  if (kubeconfig === '' && !help) throw new FlagError('Error: --kubeconfig must be specified');
  const [certificate, key] = [values.text('cluster-signing-cert-file'), values.text('cluster-signing-key-file')];
  if ((certificate === '') !== (key === '')) {
    throw new FlagError('Error: --cluster-signing-cert-file and --cluster-signing-key-file must be specified together');
  }
  const [problem] = validateControllers(values.list('controllers'));
  if (problem !== undefined) throw new FlagError(`Error: ${problem}`);
  if (values.number('nodes') < 0) throw new FlagError('Error: --nodes can not be negative value');
  return {
    names: productOf(values).name,
    kubeconfig,
    clientRate: readClientRate(values),
    clusterCidrs: readClusterCidrs(values),
    controllers: resolveControllerAliases(values.list('controllers')),
    scheduler: values.truth('scheduler'),
    schedulerConfig: values.text('scheduler-config'),
    nodes: values.truth('simulate-nodes') ? values.number('nodes') : undefined,
    nodeConfig: values.text('node-config'),
    leaderElect: values.truth('leader-elect'),
    clusterSigning: certificate === '' ? undefined : { certificate, key },
    rootAuthority: values.text('root-ca-file'),
    accountKey: values.text('service-account-private-key-file'),
    logLevel: oneOf(values, 'log-level', ['error', 'warn', 'info']),
    help,
  };
}

export const componentsUsage: string = `Usage: tabplane components --kubeconfig FILE [flags]

Runs controllers, the scheduler and simulated nodes as clients of an API server.

${componentFlagRows.map(helpLine).join('\n')}
`;
