import { msg, str } from '@lit/localize';
import type { ClusterFacts } from './cluster-list.ts';

/** The size of a cluster and the time of last use as text. */
export function factsText({ objects, bytes, revision, usedMs }: ClusterFacts): string {
  const kilobytes = (bytes / 1000).toFixed(1);
  const size = objects === 1 ? msg(str`1 object, ${kilobytes} kB`) : msg(str`${objects} objects, ${kilobytes} kB`);
  return [size, msg(str`revision ${revision}`), usedText(usedMs)].join(' · ');
}

function usedText(usedMs: number | undefined): string {
  if (usedMs === undefined) return msg('not used yet');
  const time = new Date(usedMs).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  return msg(str`last used ${time}`);
}
