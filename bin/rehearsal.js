/*
 * The process of one rehearsal (docs/decisions/0027-simulated-worlds.md). It reads the plan as JSON
 * from standard input, and writes events as lines of JSON.
 */
process.env.NODE_ENV ??= 'production'
await import('./typescript.js')
await import('./rehearsal.ts')
