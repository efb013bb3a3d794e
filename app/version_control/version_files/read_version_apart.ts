import { ThreadOverrun, ThreadPool } from '#foundation/core/thread_pool'
import { malformed, VersionFileFault } from './occurrence.js'
import type { VersionFile } from './version_file.js'
import type { FileText, ReadVersion } from './version_worker.js'

const threads = new ThreadPool<FileText, ReadVersion>(
  new URL('./version_worker.ts', import.meta.url),
  { threads: 1, waiting: 100, deadline: 20_000, memoryMb: 512 }
)

/**
 * Reads the version of a file in a thread of its own: files of repositories have several MiB, and
 * anybody may write them.
 * @throws VersionFileFault
 */
export async function readVersionApart(path: string, text: string): Promise<VersionFile> {
  try {
    const read = await threads.run({ path, text })
    if ('fault' in read) throw new VersionFileFault(read.fault.code, read.fault.message)
    return read.file
  } catch (error) {
    if (!(error instanceof ThreadOverrun)) throw error
    throw malformed('file that can be read: it takes too long')
  }
}
