/*
 * The process of one rehearsal: see docs/decisions/0027-simulated-worlds.md. It reads what is rehearsed
 * as JSON from standard input, and tells what happens in lines of JSON.
 */
process.env.NODE_ENV ??= 'production'
await import('./typescript.js')
await import('./rehearsal.ts')
