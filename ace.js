/*
 * Entry point of the console commands.
 */
import './bin/newer_node.js'

process.env.NODE_ENV ??= 'production'
await import('./bin/typescript.js')
await import('./bin/console.ts')
