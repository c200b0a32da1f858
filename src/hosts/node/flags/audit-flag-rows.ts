import type { FlagRow } from './flag-rows.ts';

const row = (name: string, type: FlagRow['type'], initial: string, value: string, about = ''): FlagRow => ({
  name,
  type,
  initial,
  value,
  about,
});

interface SinkDefaults {
  readonly mode: string;
  readonly maxSize: string;
  readonly maxWait: string;
  readonly throttle: string;
  readonly qps: string;
  readonly burst: string;
}

/** The common flags of the file and the webhook. */
function sinkRows(sink: 'log' | 'webhook', { mode, maxSize, maxWait, throttle, qps, burst }: SinkDefaults): readonly FlagRow[] {
  return [
    row(`audit-${sink}-version`, 'string', 'audit.k8s.io/v1', 'VERSION', 'API group and version used for serializing audit events'),
    row(
      `audit-${sink}-mode`,
      'string',
      mode,
      'batch|blocking|blocking-strict',
      'strategy for sending audit events; blocking delays responses',
    ),
    row(`audit-${sink}-batch-buffer-size`, 'int', '10000', 'EVENTS', 'size of the buffer to store events before batching and writing'),
    row(`audit-${sink}-batch-max-size`, 'int', maxSize, 'EVENTS', 'maximum size of a batch'),
    row(`audit-${sink}-batch-max-wait`, 'duration', maxWait, 'TIME', 'time to wait before writing a batch below the maximum size'),
    row(`audit-${sink}-batch-throttle-enable`, 'bool', throttle, '', 'enable throttling of batches'),
    row(`audit-${sink}-batch-throttle-qps`, 'float', qps, 'NUMBER', 'maximum average number of batches per second'),
    row(`audit-${sink}-batch-throttle-burst`, 'int', burst, 'NUMBER', 'maximum number of batches at the same moment'),
    row(`audit-${sink}-truncate-enabled`, 'bool', 'false', '', 'enable truncating of events and batches'),
    row(
      `audit-${sink}-truncate-max-event-size`,
      'int',
      '102400',
      'BYTES',
      'maximum size of an event; a larger one loses its request and response',
    ),
    row(`audit-${sink}-truncate-max-batch-size`, 'int', '10485760', 'BYTES', 'maximum size of a batch; a larger one is split'),
  ];
}

/** Audit flags, with the real server's defaults. */
export const auditFlagRows: readonly FlagRow[] = [
  row('audit-policy-file', 'string', '', 'FILE', 'file that defines the audit policy; if empty, there is no audit'),
  row('audit-log-path', 'string', '', 'FILE', 'file that all audit events are written to, one per line; -: standard output'),
  row('audit-log-format', 'string', 'json', 'json|legacy', 'format of audit events in the file'),
  row('audit-log-maxsize', 'int', '0', 'MEGABYTES', 'maximum size of the audit log file before it is rotated; 0: 100'),
  row('audit-log-maxbackup', 'int', '0', 'NUMBER', 'maximum number of old audit log files to retain; 0: no limit'),
  row('audit-log-maxage', 'int', '0', 'DAYS', 'maximum number of days to retain old audit log files; 0: no limit'),
  row('audit-log-compress', 'bool', 'false', '', 'compress rotated log files with gzip'),
  ...sinkRows('log', { mode: 'blocking', maxSize: '1', maxWait: '0s', throttle: 'false', qps: '0', burst: '0' }),
  row('audit-webhook-config-file', 'string', '', 'FILE', 'audit webhook configuration in kubeconfig format'),
  row('audit-webhook-initial-backoff', 'duration', '10s', 'TIME', 'time to wait before retrying the first failed request'),
  ...sinkRows('webhook', { mode: 'batch', maxSize: '400', maxWait: '30s', throttle: 'true', qps: '10', burst: '15' }),
];
