// Loaded without the service's TypeScript loader: only the real file name resolves.
import type { RemoteFile } from './byte_source.ts'
import type { ArchiveResult } from './metadata.ts'
import { readArchive } from './read_archive.ts'

// The readers of property lists tell the console what they find odd in a file of somebody's.
console.error = console.warn = () => {}

/** What a thread of `ArchiveReader` runs. */
export default function readArchiveInThread({
  input,
}: {
  input: string | RemoteFile
}): Promise<ArchiveResult> {
  return readArchive(input)
}
