import { msg } from '@lit/localize';
import type { TransportStatus } from '../../client/index.ts';

export const transportTexts: Readonly<Record<TransportStatus['transport'], () => string>> = {
  connecting: () => msg('finding the way…'),
  'service-worker': () => msg('Service Worker, by fetch'),
  'service-worker-port': () => msg('Service Worker, by messages'),
  worker: () => msg('a worker of this page'),
  page: () => msg('this page itself'),
  remote: () => msg('a server elsewhere'),
};

export const storageTexts: Readonly<Record<TransportStatus['kept'], () => string>> = {
  unknown: () => msg('not known yet'),
  saved: () => msg('saved in this browser (in a private window: until it is closed)'),
  memory: () => msg('in memory: gone when the page is closed'),
  lost: () => msg('in memory: gone when the page is closed'),
  remote: () => msg('by that server'),
};

/** The storage mark in the top bar. */
export const storageMarks: Readonly<Record<TransportStatus['kept'], () => string>> = {
  unknown: () => msg('connecting', { desc: 'the mark of the cluster in the top bar' }),
  saved: () => msg('saved', { desc: 'the mark of the cluster in the top bar' }),
  memory: () => msg('will not be kept', { desc: 'the mark of the cluster in the top bar' }),
  lost: () => msg('will not be kept', { desc: 'the mark of the cluster in the top bar' }),
  remote: () => msg('remote', { desc: 'the mark of the cluster in the top bar' }),
};
