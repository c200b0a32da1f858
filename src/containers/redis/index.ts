/** A stand-in for Redis and its client: the protocol and data types of everyday use. */
export { redisCli } from './redis-cli.ts';
export { redisServer } from './redis-server.ts';
