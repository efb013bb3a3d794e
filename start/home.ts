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
  mkdirSync(homePath(), { recursive: true })
  if (process.env.APP_KEY) return

  const file = homePath('app.key')
  if (!existsSync(file)) {
    try {
      writeFileSync(file, randomBytes(32).toString('base64url') + '\n', { mode: 0o600, flag: 'wx' })
    } catch (error) {
      // Another process may have made it between the look and the write.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  process.env.APP_KEY = readFileSync(file, 'utf8').trim()
}
