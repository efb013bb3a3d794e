import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Unfinished } from './file_store.js'

/**
 * Lists the files of a local folder that nobody has written to since a time.
 * @param before in milliseconds since the epoch
 */
export async function leftoversIn(folder: string, before: number): Promise<Unfinished[]> {
  const leftovers: Unfinished[] = []
  for (const path of (await readdir(folder).catch(() => [])).map((name) => join(folder, name))) {
    const found = await stat(path).catch(() => null)
    if (!found?.isFile() || found.mtimeMs >= before) continue
    leftovers.push({
      name: `temporary file ${path}`,
      begunAt: found.mtimeMs,
      remove: () => rm(path, { force: true }),
    })
  }
  return leftovers
}
