import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArchive } from '../../read_archive.js'

/** Writes bytes to a temporary file for some work. */
export async function withFile<Result>(
  bytes: Buffer,
  work: (path: string) => Promise<Result>
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'))
  const path = join(folder, 'file')
  try {
    await writeFile(path, bytes)
    return await work(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

export const readBytes = (bytes: Buffer) => withFile(bytes, readArchive)

/** Returns the metadata of a readable archive. @throws the reason if it is unreadable */
export async function metadataOf(bytes: Buffer) {
  const read = await readBytes(bytes)
  if (!read.isRead) throw new Error(read.reason)
  return { ...read.metadata, icon: read.icon && Buffer.from(read.icon) }
}

/** Returns the contents of a readable archive. @throws the reason if it is unreadable */
export async function contentsOf(bytes: Buffer) {
  const read = await readBytes(bytes)
  if (!read.isRead) throw new Error(read.reason)
  return read.contents
}

/** Returns the reason why an archive cannot be read. @throws if it can */
export async function reasonOf(bytes: Buffer): Promise<string> {
  const read = await readBytes(bytes)
  if (read.isRead) throw new Error(`It was read: ${JSON.stringify(read.metadata)}`)
  return read.reason
}

/** Silences the console, to which libraries report odd files. @returns a function to undo it */
export function quieten(): () => void {
  const { error, warn } = console
  console.error = console.warn = () => {}
  return () => void Object.assign(console, { error, warn })
}
