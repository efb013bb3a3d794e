import { addAbortSignal } from 'node:stream'
import { spoolStream, type Spool } from './spool.js'
import { localPathOf, openStoredFile } from './stored_files.js'

/**
 * Gives work a path of this machine with the bytes of a stored file, for readers that go back
 * and forth: the file itself where it is kept in a folder of this machine, else a copy in the
 * spool, which goes when the work ends.
 * @param signal ends the copying
 * @throws what Drive throws when it is not there; not_stored when the spool does not take it
 */
export async function withLocalCopy<Result>(
  spool: Spool,
  key: string,
  signal: AbortSignal,
  work: (path: string) => Promise<Result>
): Promise<Result> {
  const local = await localPathOf(key)
  if (local !== null) return work(local)
  return spool.using(async (path) => {
    await spoolStream(addAbortSignal(signal, await openStoredFile(key)), path)
    return work(path)
  })
}
