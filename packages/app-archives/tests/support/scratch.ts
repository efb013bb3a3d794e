import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArchive } from '../../read_archive.js'

/** Gives work a file of its own with some bytes. */
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

/** Returns what a readable archive holds. @throws the reason if it is unreadable */
export async function contentsOf(bytes: Buffer) {
  const read = await readBytes(bytes)
  if (!read.isRead) throw new Error(read.reason)
  return read.contents
}

/** Why an archive cannot be read. @throws where it can */
export async function reasonOf(bytes: Buffer): Promise<string> {
  const read = await readBytes(bytes)
  if (read.isRead) throw new Error(`It was read: ${JSON.stringify(read.metadata)}`)
  return read.reason
}

/** As in a thread: what a library finds odd in a file is nobody's to read. @returns the way back */
export function quieten(): () => void {
  const { error, warn } = console
  console.error = console.warn = () => {}
  return () => void Object.assign(console, { error, warn })
}
