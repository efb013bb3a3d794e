// Loaded without the service's TypeScript loader: only the real file name resolves.
import type { RemoteFile } from './byte_source.ts'
import type { ArchiveResult } from './metadata.ts'
import { readArchive } from './read_archive.ts'

/** The entry point of a thread of `ArchiveReader`. */
export default function readArchiveInThread({
  input,
}: {
  input: string | RemoteFile
}): Promise<ArchiveResult> {
  return readArchive(input)
}
