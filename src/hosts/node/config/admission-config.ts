import { dirname, resolve } from 'node:path';
import {
  AdmissionConfigError,
  checkLimitedResources,
  createImageReviewer,
  defaultOptionalSettings,
  defaultPodSecuritySettings,
  enabledPlugins,
  KubeconfigError,
  type OptionalPluginSettings,
  type PluginConfiguration,
  type PluginSelection,
  type PodSecuritySettings,
  pluginErrorLead,
  type QuotaLimitCheck,
  readAdmissionConfig,
  readClusterTolerations,
  readEventLimits,
  readImagePolicyConfig,
  readLimitedResources,
  readNodeSelectors,
  readPodSecurityConfig,
  readWebhookAdmissionConfig,
  type WebhookUsers,
} from '../../../cluster/index.ts';
import type { Env, Outbound } from '../../../env/index.ts';
import type { Product } from '../../../meta/index.ts';
import { loadWebhookUsers, webhookConnection } from '../auth/webhook-connection.ts';
import { FlagError } from '../flags/flag-error.ts';
import { readNamedFile } from './named-file.ts';

/** The settings of all admission plugins. */
export interface AdmissionSettings extends OptionalPluginSettings {
  readonly podSecurity: PodSecuritySettings;
  readonly checkQuotaLimits: QuotaLimitCheck | undefined;
  readonly mutatingWebhookUsers: WebhookUsers | undefined;
  readonly validatingWebhookUsers: WebhookUsers | undefined;
}

export interface AdmissionConfigContext {
  readonly choice: PluginSelection;
  readonly product: Product;
  readonly env: Env;
  readonly outbound: Outbound;
}

const defaultSettings: AdmissionSettings = {
  ...defaultOptionalSettings,
  podSecurity: defaultPodSecuritySettings,
  checkQuotaLimits: undefined,
  mutatingWebhookUsers: undefined,
  validatingWebhookUsers: undefined,
};

const lead = 'failed to apply admission';

/** Loads the settings of the enabled plugins from `--admission-control-config-file`. @throws FlagError with the real server's message */
export async function loadAdmissionConfig(path: string, context: AdmissionConfigContext): Promise<AdmissionSettings> {
  try {
    const configurations = path === '' ? [] : readAdmissionConfig(await readConfigFile(path), context.product);
    let settings = defaultSettings;
    for (const plugin of enabledPlugins(context.choice)) {
      const own = configurations.find((configuration) => configuration.plugin === plugin);
      settings = { ...settings, ...(await loadSettings(plugin, own && (await contentOf(own, dirname(path))), context)) };
    }
    return settings;
  } catch (error) {
    throw error instanceof AdmissionConfigError ? new FlagError(`${lead}: ${error.message}`) : error;
  }
}

/** The settings of one plugin; `content` is undefined without any. @throws AdmissionConfigError */
async function loadSettings(
  plugin: string,
  content: string | undefined,
  context: AdmissionConfigContext,
): Promise<Partial<AdmissionSettings>> {
  const { product } = context;
  switch (plugin) {
    // These two do not work without settings.
    case 'EventRateLimit':
      return { eventLimits: readEventLimits(content, product) };
    case 'ImagePolicyWebhook':
      return { imagePolicy: await loadImagePolicy(content, context) };
  }
  if (content === undefined) return {};
  switch (plugin) {
    case 'PodSecurity':
      return content === '' ? {} : { podSecurity: readPodSecurityConfig(content, product) };
    case 'PodNodeSelector':
      return { nodeSelectors: readNodeSelectors(content) };
    case 'PodTolerationRestriction':
      return { tolerations: readClusterTolerations(content, product) };
    case 'ResourceQuota':
      return { checkQuotaLimits: checkLimitedResources(readLimitedResources(content, product)) };
    case 'MutatingAdmissionWebhook':
      return { mutatingWebhookUsers: await loadUsers(plugin, content, context) };
    case 'ValidatingAdmissionWebhook':
      return { validatingWebhookUsers: await loadUsers(plugin, content, context) };
    default:
      return {};
  }
}

async function loadImagePolicy(
  content: string | undefined,
  { product, env, outbound }: AdmissionConfigContext,
): Promise<AdmissionSettings['imagePolicy']> {
  const { kubeConfigFile, retryBackoffMs, ...settings } = readImagePolicyConfig(content);
  const connection = await nameInErrors('ImagePolicyWebhook', webhookConnection(kubeConfigFile, { product, clock: env.clock }));
  return { ...settings, post: createImageReviewer({ outbound, connection, retryBackoffMs, env, product }) };
}

function loadUsers(plugin: string, content: string, { product, env }: AdmissionConfigContext): Promise<WebhookUsers> {
  const path = readWebhookAdmissionConfig(plugin, content, product);
  return nameInErrors(plugin, loadWebhookUsers(path, { product, clock: env.clock }));
}

/** Names the plugin in errors of a kubeconfig. @throws AdmissionConfigError */
async function nameInErrors<Result>(plugin: string, pending: Promise<Result>): Promise<Result> {
  try {
    return await pending;
  } catch (error) {
    if (!(error instanceof KubeconfigError || error instanceof FlagError)) throw error;
    throw new AdmissionConfigError(`${pluginErrorLead(plugin)}: ${error.message}`, { cause: error });
  }
}

function readConfigFile(path: string): Promise<string> {
  const unreadable = `${lead}: failed to read plugin config: unable to read admission control configuration from ${JSON.stringify(path)}`;
  return readNamedFile(path, (why) => `${unreadable} [${why}]`);
}

/** The settings in the configuration itself, or in the file that it names. */
async function contentOf({ content, path }: PluginConfiguration, folder: string): Promise<string | undefined> {
  if (content !== undefined || path === '') return content;
  const file = resolve(folder, path);
  return readNamedFile(file, (why) => `Couldn't open admission plugin configuration ${file}: ${why}`);
}
