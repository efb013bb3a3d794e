/*
 * The process of one rehearsal: see docs/decisions/0027-simulated-worlds.md. It reads the plan as
 * JSON from standard input, and reports events in lines of JSON.
 */
process.env.NODE_ENV ??= 'production'
await import('./typescript.js')
await import('./rehearsal.ts')
