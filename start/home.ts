import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** Returns the folder that holds everything the service keeps on disk (`TARMAC_HOME`). */
export function homePath(...segments: string[]): string {
  return resolve(ROOT, process.env.TARMAC_HOME || 'storage', ...segments)
}

/**
 * Makes the home folder and, unless `APP_KEY` is given, reads the application key
 * from it, generating one at the first start. The key signs cursors and encrypts
 * secrets: losing it makes stored secrets unreadable.
 * @throws HomeError when the folder cannot be made or used
 */
export function prepareHome(): void {
  const file = resolve(ROOT, '.env')
  // `.env` may set `TARMAC_HOME`, so it is read first.
  if (existsSync(file)) attempt(file, 'be read', () => process.loadEnvFile(file))
  // Other users of this machine must not read stored files.
  process.umask(0o077)
  attempt(homePath(), 'be made', () => mkdirSync(homePath(), { recursive: true }))
  if (process.env.APP_KEY) return

  const keyFile = homePath('app.key')
  attempt(keyFile, 'be written', () => makeKey(keyFile))
  process.env.APP_KEY = attempt(keyFile, 'be read', () => readFileSync(keyFile, 'utf8').trim())
}

function makeKey(file: string): void {
  if (existsSync(file)) return
  try {
    writeFileSync(file, randomBytes(32).toString('base64url') + '\n', { mode: 0o600, flag: 'wx' })
  } catch (error) {
    // Another process may have created it between the check and the write.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The home cannot be used. The message is one line for the person who started the process. */
export class HomeError extends Error {}

function attempt<Result>(path: string, what: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new HomeError(`${path} cannot ${what} (${code ?? message}). See TARMAC_HOME.`, {
      cause: error,
    })
  }
}
