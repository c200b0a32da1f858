import { formatDuration, isJsonObject, type JsonObject, recordAt, textAt } from '../../meta/index.ts';
import { bool, ConfigurationFileError, decodeTyped, int64, struct, text } from '../configuration/configuration-file.ts';
import { readPluginConfig } from './plugin-config.ts';
import { knownMembers, parseDocument, splitDocuments } from './unversioned-file.ts';

/** The settings of ImagePolicyWebhook. */
export interface ImagePolicyConfig {
  readonly kubeConfigFile: string;
  /** How long an allowed review is cached. */
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
  readonly retryBackoffMs: number;
  /** Whether pods are allowed when the webhook fails. */
  readonly defaultAllow: boolean;
}

const fields = { kubeConfigFile: text, allowTTL: int64, denyTTL: int64, retryBackoff: int64, defaultAllow: bool };
const imagePolicyShape = { ...struct('', fields), name: 'imagepolicy/imagepolicy.imagePolicyWebhookConfig' };
const shape = struct('AdmissionConfig', { imagePolicy: imagePolicyShape });

/** A duration of the settings: its unit, range and default. */
interface DurationSetting {
  readonly unitMs: number;
  readonly minNanos: bigint;
  readonly maxMs: number;
  readonly defaultMs: number;
}

const backoff: DurationSetting = { unitMs: 1, minNanos: 1n, maxMs: 300_000, defaultMs: 500 };
const allowTtl: DurationSetting = { unitMs: 1000, minNanos: 1_000_000_000n, maxMs: 1_800_000, defaultMs: 300_000 };
const denyTtl: DurationSetting = { ...allowTtl, defaultMs: 30_000 };

/** Reads the settings of ImagePolicyWebhook, which it does not work without. @throws AdmissionConfigError with the real server's message */
export function readImagePolicyConfig(content: string | undefined): ImagePolicyConfig {
  return readPluginConfig('ImagePolicyWebhook', () => {
    if (content === undefined) throw new ConfigurationFileError('no config specified');
    const config = recordAt(decode(content), 'imagePolicy');
    const settings = {
      retryBackoffMs: durationAt(config, 'retryBackoff', backoff),
      allowTtlMs: durationAt(config, 'allowTTL', allowTtl),
      denyTtlMs: durationAt(config, 'denyTTL', denyTtl),
      kubeConfigFile: textAt(config, 'kubeConfigFile'),
      defaultAllow: config['defaultAllow'] === true,
    };
    if (settings.kubeConfigFile !== '') return settings;
    const why = 'no configuration has been provided, try setting KUBERNETES_MASTER environment variable';
    throw new ConfigurationFileError(`invalid configuration: ${why}`);
  });
}

/** Decodes the first document. @throws ConfigurationFileError */
function decode(content: string): JsonObject {
  const [text] = splitDocuments(content);
  if (text === undefined) throw new ConfigurationFileError('EOF');
  const document = parseDocument(text);
  const { imagePolicy } = isJsonObject(document) ? knownMembers(document, ['imagePolicy']) : {};
  if (imagePolicy === undefined) return {};
  const members = isJsonObject(imagePolicy) ? knownMembers(imagePolicy, Object.keys(fields)) : imagePolicy;
  return convertTypeName(() => decodeTyped({ imagePolicy: members }, shape).value);
}

/** The integers are durations in Go. @throws ConfigurationFileError */
function convertTypeName<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationFileError)) throw error;
    throw new ConfigurationFileError(error.message.replace(/ of type int64$/, ' of type time.Duration'), { cause: error });
  }
}

/** -1 is none, 0 the default. @throws ConfigurationFileError */
function durationAt(config: JsonObject, field: string, { unitMs, minNanos, maxMs, defaultMs }: DurationSetting): number {
  const value = Number(config[field] ?? 0);
  if (value === -1) return 0;
  if (value === 0) return defaultMs;
  const nanos = BigInt(value) * BigInt(unitMs) * 1_000_000n;
  const maxNanos = BigInt(maxMs) * 1_000_000n;
  if (nanos >= minNanos && nanos <= maxNanos) return value * unitMs;
  const range = `valid value is between ${formatDuration(minNanos)} and ${formatDuration(maxNanos)}`;
  throw new ConfigurationFileError(`${range}, got ${formatDuration(nanos)}`);
}
