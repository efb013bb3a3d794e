/*
 * Entry point of the console commands.
 */
import './bin/newer_node.js'

process.env.NODE_ENV ??= 'production'
// In production npm would take away the development dependencies, which `add` itself needs.
if (process.argv[2] === 'add') process.env.npm_config_include = 'dev'
await import('./bin/typescript.js')
await import('./bin/console.ts')
