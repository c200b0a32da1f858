import { ConfigurationFileError, int32, readConfigurationFile, struct, text } from '../../../cluster/index.ts';
import {
  aggregateErrors,
  type FieldError,
  fieldErrorTexts,
  invalid,
  type JsonObject,
  type Product,
  parseUrl,
  textAt,
  UrlError,
} from '../../../meta/index.ts';
import { convertToFlagError, FlagError } from '../flags/flag-error.ts';
import { readNamedFile } from './named-file.ts';

const shape = struct('TracingConfiguration', { kind: text, apiVersion: text, endpoint: text, samplingRatePerMillion: int32 });

/** Validates the file of `--tracing-config-file`; no traces are sent here. Cf. component-base tracing/api/v1. @throws FlagError */
export async function checkTracingConfig(path: string, product: Product): Promise<void> {
  if (path === '') return;
  const lead = 'failed to read tracing config:';
  const content = await readNamedFile(path, (why) => `${lead} unable to read tracing configuration from ${JSON.stringify(path)}: ${why}`);
  const decode = (): JsonObject => readConfigurationFile(content, { kind: 'TracingConfiguration', shape, product });
  const undecodable = (why: string): string => `${lead} unable to decode tracing configuration data: ${why}`;
  // An empty file is the default configuration.
  const value = content === '' ? {} : convertToFlagError(decode, ConfigurationFileError, undecodable);
  const errors = [...rateProblems(value['samplingRatePerMillion']), ...endpointProblems(textAt(value, 'endpoint'))];
  if (errors.length === 0) return;
  throw new FlagError(`failed to validate tracing configuration: ${aggregateErrors(fieldErrorTexts(errors))}`);
}

function rateProblems(rate: unknown): readonly FieldError[] {
  const field = 'samplingRatePerMillion';
  if (Number(rate ?? 0) < 0) return [invalid(field, rate, 'sampling rate must be positive')];
  return Number(rate ?? 0) > 1_000_000 ? [invalid(field, rate, 'sampling rate per million must be less than or equal to one million')] : [];
}

function endpointProblems(given: string): readonly FieldError[] {
  if (given === '') return [];
  const endpoint = given.includes('//') ? given : `dns://${given}`;
  try {
    const { scheme } = parseUrl(endpoint);
    if (['dns', 'unix', 'unix-abstract'].includes(scheme)) return [];
    const options = 'Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md';
    return [invalid('endpoint', endpoint, `unsupported scheme: ${scheme}.  ${options}`)];
  } catch (error) {
    if (error instanceof UrlError) return [invalid('endpoint', endpoint, error.message)];
    throw error;
  }
}
