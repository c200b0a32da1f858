import fc from 'fast-check';

/**
 * Properties use the same generated values in each run, so that a result depends on the change and not on chance.
 * `TABPLANE_SEED=7` uses others; a failure found by another seed becomes an example test.
 */
fc.configureGlobal({ seed: Number(process.env['TABPLANE_SEED'] ?? 1) });
