/** The major version, which paths and the folder of the data have. */
export const postgresMajor = '17';

/** The version of the package of Debian. */
export const postgresPackage: string = `${postgresMajor}.2-1.pgdg120+1`;

/** As the server and psql show it. */
export const postgresVersion: string = `${postgresMajor}.2 (Debian ${postgresPackage})`;
