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
    row(`audit-${sink}-version`, 'string', 'audit.k8s.io/v1', 'VERSION'),
    row(`audit-${sink}-mode`, 'string', mode, 'batch|blocking|blocking-strict', 'whether requests wait for their events'),
    row(`audit-${sink}-batch-buffer-size`, 'int', '10000', 'EVENTS'),
    row(`audit-${sink}-batch-max-size`, 'int', maxSize, 'EVENTS'),
    row(`audit-${sink}-batch-max-wait`, 'duration', maxWait, 'TIME'),
    row(`audit-${sink}-batch-throttle-enable`, 'bool', throttle, ''),
    row(`audit-${sink}-batch-throttle-qps`, 'float', qps, 'NUMBER'),
    row(`audit-${sink}-batch-throttle-burst`, 'int', burst, 'NUMBER'),
    row(`audit-${sink}-truncate-enabled`, 'bool', 'false', '', 'large events lose the bodies in them'),
    row(`audit-${sink}-truncate-max-event-size`, 'int', '102400', 'BYTES'),
    row(`audit-${sink}-truncate-max-batch-size`, 'int', '10485760', 'BYTES'),
  ];
}

/** Audit flags, with the real server's defaults. */
export const auditFlagRows: readonly FlagRow[] = [
  row('audit-policy-file', 'string', '', 'FILE', 'how much is told of which requests; nothing without it'),
  row('audit-log-path', 'string', '', 'FILE', 'events, one a line; -: standard output'),
  row('audit-log-format', 'string', 'json', 'json|legacy'),
  row('audit-log-maxsize', 'int', '0', 'MEGABYTES', 'a larger file is set aside; 0: 100'),
  row('audit-log-maxbackup', 'int', '0', 'NUMBER', 'how many such files are kept; 0: all'),
  row('audit-log-maxage', 'int', '0', 'DAYS', 'how long they are kept; 0: for ever'),
  row('audit-log-compress', 'bool', 'false', '', 'with gzip'),
  ...sinkRows('log', { mode: 'blocking', maxSize: '1', maxWait: '0s', throttle: 'false', qps: '0', burst: '0' }),
  row('audit-webhook-config-file', 'string', '', 'FILE', 'the client configuration of who is sent events'),
  row('audit-webhook-initial-backoff', 'duration', '10s', 'TIME', 'until a failed one is sent again'),
  ...sinkRows('webhook', { mode: 'batch', maxSize: '400', maxWait: '30s', throttle: 'true', qps: '10', burst: '15' }),
];
