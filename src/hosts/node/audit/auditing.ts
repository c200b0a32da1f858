import {
  type AuditConfig,
  AuditPolicyError,
  type AuditSink,
  batchingSink,
  ignoreErrorsSink,
  KubeconfigError,
  type LineWriter,
  lineSink,
  readAuditPolicyFile,
  truncatingSink,
  unionSink,
  webhookSink,
} from '../../../cluster/index.ts';
import type { Env } from '../../../env/index.ts';
import type { Product } from '../../../meta/index.ts';
import { webhookConnection } from '../auth/webhook-connection.ts';
import { readNamedFile, systemErrorMessage } from '../config/named-file.ts';
import type { AuditSinkName } from '../flags/audit-checks.ts';
import { convertToFlagError, FlagError } from '../flags/flag-error.ts';
import { type FlagValues, oneOf } from '../flags/flag-values.ts';
import { createOutbound } from '../http/outbound.ts';
import { openRotatingFile } from './rotating-file.ts';

interface AuditContext {
  readonly product: Product;
  readonly env: Env;
}

/** Loads the audit policy and sinks of the flags; undefined without a policy or sink. @throws FlagError */
export async function loadAuditing(flags: FlagValues, parts: AuditContext): Promise<AuditConfig | undefined> {
  const path = flags.text('audit-policy-file');
  const policy = path === '' ? undefined : await readPolicy(path, parts);
  // The log file is created even if nothing is written to it.
  const writer = openWriter(flags, parts.env);
  if (!policy) {
    await writer?.close();
    return undefined;
  }
  const webhookFile = flags.text('audit-webhook-config-file');
  const sinks = [
    ...(writer ? [createLogSink(flags, writer, parts)] : []),
    ...(webhookFile === '' ? [] : [await createWebhookSink(flags, webhookFile, parts)]),
  ];
  return sinks.length === 0 ? undefined : { policy, sink: unionSink(sinks) };
}

async function readPolicy(path: string, { product, env }: AuditContext): Promise<AuditConfig['policy']> {
  const lead = 'loading audit policy file:';
  const content = await readNamedFile(path, (why) => `${lead} failed to read file path ${JSON.stringify(path)}: ${why}`);
  return convertToFlagError(
    () => readAuditPolicyFile(content, product, env.log),
    AuditPolicyError,
    (why) => `${lead} ${why}: from file ${path}`,
  );
}

function openWriter(flags: FlagValues, { clock, log }: Env): LineWriter | undefined {
  const path = flags.text('audit-log-path');
  if (path === '') return undefined;
  if (path === '-') return standardOutput;
  const megabyte = 1024 * 1024;
  const rotation = {
    maxBytes: (flags.number('audit-log-maxsize') || 100) * megabyte,
    maxFiles: flags.number('audit-log-maxbackup'),
    maxAgeMs: flags.number('audit-log-maxage') * 24 * 60 * 60 * 1000,
    compress: flags.truth('audit-log-compress'),
  };
  try {
    return openRotatingFile(path, rotation, { clock, log });
  } catch (error) {
    const reason = systemErrorMessage(error);
    throw reason === undefined ? error : new FlagError(`ensureLogFile: open ${path}: ${reason}`);
  }
}

const standardOutput: LineWriter = {
  write(line) {
    process.stdout.write(line);
  },
  async close() {
    // Standard output stays open.
  },
};

/** Wraps the sinks in upstream's order: events are truncated before they are batched. */
function createLogSink(flags: FlagValues, writer: LineWriter, { product, env }: AuditContext): AuditSink {
  const format = oneOf(flags, 'audit-log-format', ['json', 'legacy']);
  return withTruncation(flags, 'log', withMode(flags, 'log', lineSink({ writer, format, product, log: env.log }), env), { product, env });
}

async function createWebhookSink(flags: FlagValues, path: string, { product, env }: AuditContext): Promise<AuditSink> {
  const lead = 'initializing audit webhook:';
  const connection = await webhookConnection(path, { product, clock: env.clock }).catch((error: unknown) => {
    throw error instanceof KubeconfigError || error instanceof FlagError ? new FlagError(`${lead} ${error.message}`) : error;
  });
  const firstPauseMs = flags.durationMs('audit-webhook-initial-backoff');
  const sink = webhookSink({ outbound: createOutbound(), connection, initialBackoffMs: firstPauseMs, product, env });
  return withTruncation(flags, 'webhook', withMode(flags, 'webhook', sink, env), { product, env });
}

function withMode(flags: FlagValues, name: AuditSinkName, sink: AuditSink, { clock, log }: Env): AuditSink {
  const batch = (what: string): string => `audit-${name}-batch-${what}`;
  switch (oneOf(flags, `audit-${name}-mode`, ['batch', 'blocking', 'blocking-strict'])) {
    case 'blocking-strict':
      return sink;
    case 'blocking':
      return ignoreErrorsSink(sink);
    case 'batch': {
      const throttle = { perSecond: flags.number(batch('throttle-qps')), burst: flags.number(batch('throttle-burst')) };
      return batchingSink(sink, {
        bufferSize: flags.number(batch('buffer-size')),
        maxSize: flags.number(batch('max-size')),
        maxWaitMs: flags.durationMs(batch('max-wait')),
        throttle: flags.truth(batch('throttle-enable')) ? throttle : undefined,
        clock,
        log,
      });
    }
  }
}

function withTruncation(flags: FlagValues, name: AuditSinkName, sink: AuditSink, { product, env }: AuditContext): AuditSink {
  if (!flags.truth(`audit-${name}-truncate-enabled`)) return sink;
  const size = (what: string): number => flags.number(`audit-${name}-truncate-max-${what}-size`);
  return truncatingSink(sink, { maxEventSize: size('event'), maxBatchSize: size('batch'), product, log: env.log });
}
