import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** The folder that holds everything the service keeps on disk (`TARMAC_HOME`). */
export function homePath(...segments: string[]): string {
  return resolve(ROOT, process.env.TARMAC_HOME || 'storage', ...segments)
}

/**
 * Makes the home folder and, unless `APP_KEY` is given, reads the application key
 * from it, generating one at the first start. The key signs cursors and encrypts
 * secrets: losing it makes stored secrets unreadable.
 */
export function prepareHome(): void {
  const file = resolve(ROOT, '.env')
  // The home may be named there, so it is read before anything looks for the home.
  if (existsSync(file)) process.loadEnvFile(file)
  // What is kept is nobody else's business on this machine.
  process.umask(0o077)
  mkdirSync(homePath(), { recursive: true })
  if (process.env.APP_KEY) return

  const keyFile = homePath('app.key')
  if (!existsSync(keyFile)) {
    try {
      writeFileSync(keyFile, randomBytes(32).toString('base64url') + '\n', {
        mode: 0o600,
        flag: 'wx',
      })
    } catch (error) {
      // Another process may have made it between the look and the write.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  process.env.APP_KEY = readFileSync(keyFile, 'utf8').trim()
}
