/** The version of Redis that the server and redis-cli show. */
export const redisVersion = '7.4.1';
