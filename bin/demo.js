/*
 * `npm run demo`: a whole release in under a minute, on a temporary home.
 */
await import('@poppinss/ts-exec')
await import('./demo.ts')
