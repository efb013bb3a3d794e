import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from '@japa/runner/core'

/** Makes the temporary folder of this process an empty one, until the test ends. */
export function emptyTemporaryFolder(cleanup: TestContext['cleanup']): string {
  const before = process.env.TMPDIR
  const folder = mkdtempSync(join(tmpdir(), 'tarmac-test-'))
  process.env.TMPDIR = folder
  cleanup(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(folder, { recursive: true })
  })
  return folder
}
