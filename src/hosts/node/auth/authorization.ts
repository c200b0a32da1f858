import { statSync } from 'node:fs';
import {
  AuthorizationConfigError,
  type AuthorizationOptions,
  type AuthorizerChoice,
  type AuthorizerFiles,
  authorizationDefaults,
  buildAuthorizerSettings,
  createFileAuthorizers,
  KubeconfigError,
  PolicyFileError,
  readAuthorizationConfig,
  readPolicyFile,
} from '../../../cluster/index.ts';
import type { Env } from '../../../env/index.ts';
import type { Product } from '../../../meta/index.ts';
import { ConfigurationWatcher } from '../config/configuration-watcher.ts';
import { readNamedFile } from '../config/named-file.ts';
import { authorizationModes } from '../flags/authorization-checks.ts';
import { convertToFlagError, FlagError } from '../flags/flag-error.ts';
import type { FlagValues } from '../flags/flag-values.ts';
import { createOutbound } from '../http/outbound.ts';
import { webhookConnection } from './webhook-connection.ts';

/** The authorization flags. */
export interface AuthorizationFlags {
  /** `--authorization-mode`, in order; ignored with a configuration file. */
  readonly modes: readonly string[];
  readonly policyFile: string;
  /** `--authorization-config`. */
  readonly configFile: string;
  readonly webhook: WebhookFlags;
}

/** `--authorization-webhook-…`, for mode Webhook. */
export interface WebhookFlags {
  readonly configFile: string;
  readonly version: string;
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
}

export function authorizationFlags(flags: FlagValues): AuthorizationFlags {
  const configFile = flags.text('authorization-config');
  return {
    modes: configFile === '' ? authorizationModes(flags) : [],
    policyFile: flags.text('authorization-policy-file'),
    configFile,
    webhook: {
      configFile: flags.text('authorization-webhook-config-file'),
      version: flags.text('authorization-webhook-version'),
      authorizedTtlMs: flags.durationMs('authorization-webhook-cache-authorized-ttl'),
      unauthorizedTtlMs: flags.durationMs('authorization-webhook-cache-unauthorized-ttl'),
    },
  };
}

/** Loads the authorization options from flags and files. @throws FlagError */
export async function readAuthorization(flags: AuthorizationFlags, product: Product, env: Env): Promise<AuthorizationOptions> {
  const { modes, policyFile, configFile, webhook } = flags;
  const parts = { product, clock: env.clock };
  const outbound = createOutbound();
  if (configFile === '') {
    return withInvalidConfigError(async () => {
      const policies = policyFile === '' ? [] : readPolicyFile(await readNamedFile(policyFile), policyFile, product);
      const authorizers = buildAuthorizerSettings(modes, webhookSettings(webhook));
      return { ...authorizationDefaults, ...(await loadAuthorizers(authorizers, { policies, outbound }, parts)) };
    });
  }
  const content = await readNamedFile(configFile);
  const authorizers = convertToFlagError(() => readAuthorizationConfig(content, product, fileProblem), AuthorizationConfigError);
  const usesPolicies = authorizers.some(({ type }) => type === 'ABAC');
  const file = new ConfigurationWatcher('authorization', { path: configFile, content }, env);
  return withInvalidConfigError(async () => {
    const policies = usesPolicies ? readPolicyFile(await readNamedFile(policyFile), policyFile, product) : [];
    const load = (settings: AuthorizerChoice['authorizers']): Promise<AuthorizerChoice> =>
      loadAuthorizers(settings, { policies, outbound }, parts);
    return {
      ...authorizationDefaults,
      ...(await load(authorizers)),
      file,
      watch: (change) => file.watch(async (text) => change(await load(readAuthorizationConfig(text, product, fileProblem)))),
    };
  });
}

function webhookSettings({
  configFile,
  version,
  authorizedTtlMs,
  unauthorizedTtlMs,
}: WebhookFlags): Parameters<typeof buildAuthorizerSettings>[1] {
  return { kubeConfigFile: configFile, version, authorizedTtlMs, unauthorizedTtlMs };
}

type WebhookContext = Parameters<typeof webhookConnection>[1];

/** Loads the kubeconfigs of the webhooks. */
async function loadAuthorizers(
  authorizers: AuthorizerChoice['authorizers'],
  common: Omit<AuthorizerFiles, 'connections'>,
  parts: WebhookContext,
): Promise<AuthorizerChoice> {
  const files = authorizers.flatMap((one) => (one.type === 'Webhook' ? [one.webhook.kubeConfigFile] : []));
  const connections = await Promise.all(
    [...new Set(files)].map(async (file) => {
      const problem = fileProblem(file);
      if (problem !== undefined) throw new FlagError(problem.replace(/^error loading file: /, ''));
      return [file, await webhookConnection(file, parts)] as const;
    }),
  );
  return { authorizers, createFileAuthorizer: createFileAuthorizers({ ...common, connections: new Map(connections) }) };
}

function fileProblem(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return `error loading file: stat ${path}: no such file or directory`;
  return stats.isFile() ? undefined : 'must be a regular file';
}

/** Reports errors in the construction of authorizers with the real server's prefix. */
async function withInvalidConfigError<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isForeseen = [FlagError, PolicyFileError, AuthorizationConfigError, KubeconfigError].some((one) => error instanceof one);
    if (isForeseen && error instanceof Error) throw new FlagError(`invalid authorization config: ${error.message}`);
    throw error;
  }
}
