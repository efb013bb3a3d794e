/*
 * Hands over to the Node 24 that comes with the dependencies when the shell's own Node is older.
 * Imported before anything that needs the newer one, which has to be imported dynamically.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

if (Number(process.versions.node.split('.')[0]) < 24) {
  const local = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))
  const { status, error } = spawnSync(local, process.argv.slice(1), { stdio: 'inherit' })
  if (error) console.error(`This needs Node 24; here is ${process.version}.`)
  process.exit(status ?? 1)
}
