import {
  type ClusterOptions,
  type ConfigurationReport,
  EncryptionConfigError,
  type EncryptionRule,
  readEncryptionConfig,
} from '../../../cluster/index.ts';
import type { Env } from '../../../env/index.ts';
import { aggregateErrors, type MetricFamily, type Product } from '../../../meta/index.ts';
import { ConfigurationWatcher } from '../config/configuration-watcher.ts';
import { readNamedFile } from '../config/named-file.ts';
import { convertToFlagError } from '../flags/flag-error.ts';
import { Encryption } from './encrypted-values.ts';
import { createGrpcKmsPlugin } from './kms/grpc-kms-plugin.ts';
import { KmsMetrics } from './kms/kms-metrics.ts';
import { KmsProvider, type KmsProviderOptions } from './kms/kms-provider.ts';

export interface EncryptionFlags {
  readonly configFile: string;
  /** `--encryption-provider-config-automatic-reload` */
  readonly isReloaded: boolean;
}

/** The encryption of a server, which changes when the file is reloaded. */
export interface LoadedEncryption {
  readonly current: () => Encryption;
  /** Calls the listener when values may be decrypted that could not be. */
  readonly onDecodable: (listener: () => void) => void;
  readonly healthChecks: ClusterOptions['storageChecks'];
  readonly file: ConfigurationReport;
  readonly metrics: () => readonly MetricFamily[];
  /** Ends the calls of plugins. */
  readonly close: () => void;
}

/** A configuration with its KMS providers. */
interface Configured {
  readonly encryption: Encryption;
  readonly kms: readonly KmsProvider[];
  /** The sum of the timeouts of the plugins. */
  readonly timeoutMs: number;
}

/** Reads the configuration file, and follows its changes if it is reloaded. @throws FlagError */
export async function loadEncryption({ configFile, isReloaded }: EncryptionFlags, product: Product, env: Env): Promise<LoadedEncryption> {
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const content = await readContent(configFile);
  const file = new ConfigurationWatcher('encryption', { path: configFile, content }, env);
  const metrics = new KmsMetrics(file.serverHash);
  const load = (text: string): Promise<Configured> =>
    configure(readRules(text, configFile, product), { env, metrics, onDecodable: notify });
  let current = await load(content);
  const reload = async (changed: string): Promise<void> => {
    const next = await load(changed);
    const problem = await waitUntilHealthy(next, env);
    if (problem !== undefined) {
      closeAll(next);
      throw new Error(`health check for new transformers failed, polling error context deadline exceeded: ${problem}`);
    }
    const previous = current;
    current = next;
    // Calls in progress end by their timeouts.
    env.clock.schedule(2 * previous.timeoutMs, () => closeAll(previous));
    env.log.info('the encryption configuration was reloaded', { path: configFile });
    notify();
  };
  const stopWatching = isReloaded ? file.watch(reload, reloadRetryMs) : () => {};
  return {
    current: () => current.encryption,
    onDecodable: (listener) => void listeners.add(listener),
    // Cf. encryptionconfig.LoadEncryptionConfig: without KMS plugins, the check exists only if there can be some after a reload.
    healthChecks:
      isReloaded || current.kms.length > 0 ? [{ name: 'kms-providers', except: '/livez', run: () => checkPlugins(current.kms) }] : [],
    file,
    metrics: () => metrics.families(),
    close() {
      stopWatching();
      closeAll(current);
    },
  };
}

async function configure(
  rules: readonly EncryptionRule[],
  parts: Pick<KmsProviderOptions, 'env' | 'metrics' | 'onDecodable'>,
): Promise<Configured> {
  const kms: KmsProvider[] = [];
  let timeoutMs = 0;
  const encryption = new Encryption(rules, (config) => {
    const provider = new KmsProvider({ ...parts, name: config.name, plugin: createGrpcKmsPlugin(config) });
    timeoutMs += config.timeoutMs;
    kms.push(provider);
    return provider;
  });
  for (const provider of kms) await provider.start();
  return { encryption, kms, timeoutMs };
}

function closeAll({ kms }: Configured): void {
  for (const provider of kms) provider.close();
}

/** Undefined: all plugins are healthy. */
async function checkPlugins(kms: readonly KmsProvider[]): Promise<string | undefined> {
  const problems: string[] = [];
  for (const [index, provider] of kms.entries()) {
    const problem = await provider.check();
    if (problem !== undefined) problems.push(`kms-provider-${index}: ${problem}`);
  }
  return problems.length === 0 ? undefined : aggregateErrors(problems);
}

const reloadRetryMs = 60_000;
const minHealthyMs = 10_000;
const healthPollMs = 100;

/** Waits until the plugins of a new configuration are healthy; returns the problem if they are not in time. */
async function waitUntilHealthy({ kms, timeoutMs }: Configured, { clock }: Env): Promise<string | undefined> {
  const end = clock.nowMs() + Math.max(minHealthyMs, 2 * timeoutMs);
  for (;;) {
    const problem = await checkPlugins(kms);
    if (problem === undefined || clock.nowMs() >= end) return problem;
    await clock.sleep(healthPollMs);
  }
}

function readContent(path: string): Promise<string> {
  const lead = 'error while parsing file: error while loading file: error reading encryption provider configuration file';
  return readNamedFile(path, (why) => `${lead} ${JSON.stringify(path)}: ${why}`);
}

function readRules(content: string, path: string, product: Product): readonly EncryptionRule[] {
  return convertToFlagError(() => readEncryptionConfig(content, path, product), EncryptionConfigError);
}
