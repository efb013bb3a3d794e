/*
 * Entry point of the console commands. Hands over to the Node 24 that comes with
 * the dependencies when the shell's own Node is older.
 */
import { spawnSync } from 'node:child_process'

if (Number(process.versions.node.split('.')[0]) < 24) {
  const local = new URL('./node_modules/.bin/node', import.meta.url).pathname
  const { status } = spawnSync(local, process.argv.slice(1), { stdio: 'inherit' })
  process.exit(status ?? 1)
}

process.env.NODE_ENV ??= 'production'
await import('./bin/typescript.js')
await import('./bin/console.ts')
