import fc from 'fast-check';

/**
 * Properties are tried on the same generated values in each run, so that a run says something of the change and not of its luck.
 * `TABPLANE_SEED=7` tries others; what a seed finds is mended and kept as an example.
 */
fc.configureGlobal({ seed: Number(process.env['TABPLANE_SEED'] ?? 1) });
