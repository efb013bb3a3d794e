import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { EXIT, Failure } from './exit_codes.js'

/** The sign-in at a service. */
export interface Credentials {
  key: string
  expiresAt: string
  organization: { id: string; name: string }
  person: { email: string; name: string | null }
}

interface Stored {
  /** Address of the service of the latest sign-in. */
  current?: string
  services: Record<string, Credentials>
}

const folder = (variable: string, usual: string) =>
  join(process.env[variable] || join(homedir(), usual), 'tarmac')

const credentialsPath = () => join(folder('XDG_CONFIG_HOME', '.config'), 'credentials.json')

/** Returns the path of a file with the program's unfinished work. */
export const statePath = (name: string) => join(folder('XDG_STATE_HOME', '.local/state'), name)

/** Writes a file atomically, readable by its owner alone. */
export function writePrivately(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const part = `${path}.${process.pid}`
  writeFileSync(part, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(part, path)
}

/** Reads a file of the program; null if it does not exist. */
export function readOwn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Failure(EXIT.failed, `${path} could not be read. Remove it and sign in again.`)
  }
}

/** @throws Failure for a file that others may read */
function readStored(): Stored {
  const path = credentialsPath()
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new Failure(EXIT.failed, `Others may read ${path}. Run: chmod 600 ${path}`)
  return (readOwn(path) as Stored | null) ?? { services: {} }
}

/** Finds the sign-in at a service; by default, the latest one. */
export function findCredentials(given?: string): { url: string; credentials: Credentials } | null {
  const { current, services } = readStored()
  const url = given ?? current
  return url !== undefined && services[url] ? { url, credentials: services[url] } : null
}

/** Stores a sign-in as the latest one. */
export function keepCredentials(url: string, credentials: Credentials): void {
  const { services } = readStored()
  writePrivately(credentialsPath(), { current: url, services: { ...services, [url]: credentials } })
}

/** Deletes the sign-in at a service. */
export function forgetCredentials(url: string): void {
  const { current, services } = readStored()
  const others = { ...services }
  delete others[url]
  const remaining = Object.keys(others)
  if (remaining.length === 0) return rmSync(credentialsPath(), { force: true })
  writePrivately(credentialsPath(), {
    current: current === url ? remaining[0] : current,
    services: others,
  })
}
