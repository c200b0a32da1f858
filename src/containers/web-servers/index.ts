/** Stand-ins for nginx and the HTTP server of Apache: a part of their configurations, with their errors, pages and logs. */
export { httpd } from './httpd.ts';
export { nginx } from './nginx.ts';
