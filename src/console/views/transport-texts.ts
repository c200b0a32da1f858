import { msg } from '@lit/localize';
import type { TransportStatus } from '../../client/index.ts';

export const transportTexts: Readonly<Record<TransportStatus['transport'], () => string>> = {
  connecting: () => msg('connecting…'),
  'service-worker': () => msg('Service Worker (fetch)'),
  'service-worker-port': () => msg('Service Worker (messages)'),
  worker: () => msg('Web Worker of this page'),
  page: () => msg('this page (no worker)'),
  remote: () => msg('remote server'),
};

export const storageTexts: Readonly<Record<TransportStatus['persistence'], () => string>> = {
  unknown: () => msg('not known yet'),
  saved: () => msg('saved in this browser (in a private window: until it is closed)'),
  memory: () => msg('in memory: lost when the page is closed'),
  lost: () => msg('in memory: lost when the page is closed'),
  remote: () => msg('on the server'),
};

/** The storage mark in the top bar. */
export const storageMarks: Readonly<Record<TransportStatus['persistence'], () => string>> = {
  unknown: () => msg('connecting', { desc: 'the mark of the cluster in the top bar' }),
  saved: () => msg('saved', { desc: 'the mark of the cluster in the top bar' }),
  memory: () => msg('not saved', { desc: 'the mark of the cluster in the top bar' }),
  lost: () => msg('not saved', { desc: 'the mark of the cluster in the top bar' }),
  remote: () => msg('remote', { desc: 'the mark of the cluster in the top bar' }),
};

/** Explanation and action of each offer. */
export const offerTexts: Readonly<Record<'update' | 'worker-back' | 'unsaved', () => readonly [text: string, action: string]>> = {
  update: () => [msg('A new version is available.'), msg('Restart')],
  'worker-back': () => [
    msg('Your saved cluster is available again. Switching discards changes made here.'),
    msg('Switch to the saved cluster'),
  ],
  unsaved: () => [msg('The cluster is loading. Commands wait for it.'), msg('Use a temporary cluster')],
};
