/*
 * `npm run demo`: a whole release in under a minute, on a temporary home.
 */
await import('./typescript.js')
await import('./demo.ts')
