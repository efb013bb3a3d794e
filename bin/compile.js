/*
 * Fills the compile cache ahead of time, for an image or an installation that is read-only at run
 * time. It also starts the service and the console once with a temporary home, so that the
 * locations of packages are cached, too.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { CACHE, compiled } from './typescript.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Folders without sources of the service. */
const OTHERS = /^(\..*|node_modules|tests|build|storage|tmp|examples|benchmarks|template)$/

function* sourcesIn(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const place = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!OTHERS.test(entry.name)) yield* sourcesIn(place)
    } else if (/(?<!\.d)\.ts$/.test(entry.name)) yield place
  }
}

/** Settings that override `.env`, so that a start uses nothing but its home. */
const settingsOf = (home) => ({
  PATH: process.env.PATH,
  ...{ TARMAC_HOME: home, HOST: '127.0.0.1', PORT: '0', NODE_ENV: 'production' },
  ...{ DATABASE_URL: '', REDIS_URL: '', DRIVE_DISK: 'fs', WORK_IN_SERVER: 'false' },
  ...{ LIMIT_STORE: 'memory', PUBLIC_URL: '', APP_KEY: '', CREDENTIALS_KEY: '' },
})

/** Runs an entry point, and ends it once it has printed something. */
async function startOnce(home, ...args) {
  const child = spawn(process.execPath, args, {
    ...{ cwd: ROOT, env: settingsOf(home) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.once('data', () => child.kill('SIGTERM'))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`"${args.join(' ')}" ended with ${code}.`)
}

/** Makes the cache readable for any user who starts the service. */
function openToAll(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const place = join(folder, entry.name)
    fs.chmodSync(place, entry.isDirectory() ? 0o755 : 0o644)
    if (entry.isDirectory()) openToAll(place)
  }
}

let count = 0
for (const source of sourcesIn(ROOT)) {
  compiled(pathToFileURL(source).href)
  count += 1
}
const home = fs.mkdtempSync(join(tmpdir(), 'tarmac-compile-'))
try {
  await startOnce(home, 'bin/start.js')
  await startOnce(home, 'ace.js', 'org:list')
} finally {
  fs.rmSync(home, { recursive: true })
}
openToAll(fileURLToPath(CACHE))
console.log(`${count} sources are compiled.`)
