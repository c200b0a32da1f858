import type { TransportStatus } from '../../client/index.ts';

export const transportWords: Readonly<Record<TransportStatus['transport'], string>> = {
  connecting: 'finding the way…',
  'service-worker': 'Service Worker, by fetch',
  'service-worker-port': 'Service Worker, by messages',
  worker: 'a worker of this page',
  page: 'this page itself',
  remote: 'a server elsewhere',
};

export const keptWords: Readonly<Record<TransportStatus['kept'], string>> = {
  unknown: 'not known yet',
  saved: 'saved in this browser (in a private window: until it is closed)',
  memory: 'in memory: gone when the page is closed',
  remote: 'by that server',
};

/** The mark in the top bar. */
export const keptMarks: Readonly<Record<TransportStatus['kept'], string>> = {
  unknown: 'connecting',
  saved: 'saved',
  memory: 'will not be kept',
  remote: 'remote',
};
