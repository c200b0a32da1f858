/** Reading the configuration of the scheduler; loaded on demand, since few users of the library have one. */
export { readSchedulerConfig } from '../../cluster/index.ts';
