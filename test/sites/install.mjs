#!/usr/bin/env node
// Installs the generators of test/sites into dist/generators: those on npm with their dependencies, the others from PyPI. About two minutes.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { folder, installedFile, packageFile, requirementsFile, wantedPackages } from './installed.mjs';

const run = (program, ...args) => execFileSync(program, args, { cwd: folder, stdio: 'inherit' });

mkdirSync(folder, { recursive: true });
copyFileSync(packageFile, `${folder}/package.json`);
// Without a lock file: these packages are no part of the product, and their lock would be larger than its own.
run('npm', 'install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
run('python3', '-m', 'venv', 'python');
run('python/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirementsFile);
writeFileSync(installedFile, wantedPackages());
