/*
 * `npm run demo` plays a whole release in under a minute, with a temporary home.
 */
await import('./typescript.js')
await import('./demo.ts')
