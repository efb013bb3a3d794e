/*
 * Runs the program again with the Node 24 from the dependencies if the current Node is older.
 * Import this first, and code that needs Node 24 dynamically afterwards.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

if (Number(process.versions.node.split('.')[0]) < 24) {
  const local = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))
  const { status, error } = spawnSync(local, process.argv.slice(1), { stdio: 'inherit' })
  if (error) console.error(`This needs Node 24; here is ${process.version}.`)
  process.exit(status ?? 1)
}
