// Loaded without the service's TypeScript loader, which alone resolves aliases and .js names.
import type { RemoteFile } from '../../../packages/app-archives/byte_source.ts'
import type { ArchiveResult } from '../../../packages/app-archives/metadata.ts'
import { readArchive } from '../../../packages/app-archives/read_archive.ts'

/** The entry point of a thread of `ArchiveReader`. */
export default function readArchiveInThread({
  input,
}: {
  input: string | RemoteFile
}): Promise<ArchiveResult> {
  return readArchive(input)
}
