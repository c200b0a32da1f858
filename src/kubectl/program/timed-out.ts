/** Why requests end when `--request-timeout` is over. */
export class TimedOut extends Error {}
