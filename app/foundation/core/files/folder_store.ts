import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, copyFile, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  failingWith,
  type ByteRange,
  type FailureKind,
  type FileSource,
  type FileStore,
  type ListedFile,
  type Unfinished,
} from './file_store.js'

/** Folder of files that are being written. */
const TEMPORARY = 'tmp'

/** Number of files listed at a time. */
const PAGE = 500

/** Bytes read at a time; every read costs a thread switch. */
const READ = 256 * 1024

/** Errors that persist until somebody changes permissions or settings. */
const LASTING = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENAMETOOLONG'])

const attempt = failingWith(kindOf)

/** Keeps files in a local or mounted folder. */
export class FolderStore implements FileStore {
  constructor(private readonly folder: string) {}

  /** Moves a file of the same file system; copies any other to a temporary file first. */
  put(key: string, source: FileSource): Promise<void> {
    return attempt(async () => {
      const path = this.#path(key)
      await mkdir(dirname(path), { recursive: true })
      if (source instanceof Uint8Array) {
        await this.#put(path, (temporary) => writeNew(temporary, source))
      } else {
        await syncFile(source.path)
        await rename(source.path, path).catch(async (error) => {
          if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
          await this.#put(path, (temporary) => copyNew(source.path, temporary))
        })
      }
      await syncFile(dirname(path)).catch(async (error) => {
        await rm(path, { force: true })
        throw error
      })
    })
  }

  /** Writes a temporary file, and renames it when it is complete and durable. */
  async #put(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
    const temporary = join(this.folder, TEMPORARY, randomUUID())
    await mkdir(dirname(temporary), { recursive: true })
    try {
      await write(temporary)
      await syncFile(temporary)
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  open(key: string, range?: ByteRange): Promise<Readable> {
    return attempt(async () => {
      const file = await open(this.#path(key))
      return file.createReadStream({
        highWaterMark: READ,
        ...(range && { start: range.first, end: range.last }),
      })
    })
  }

  localPath(key: string): string {
    return this.#path(key)
  }

  sizeOf(key: string): Promise<number | null> {
    return attempt(async () => (await statOf(this.#path(key)))?.size ?? null)
  }

  remove(key: string): Promise<void> {
    return attempt(() => rm(this.#path(key), { force: true }))
  }

  async *list(folder: string): AsyncGenerator<ListedFile[]> {
    for await (const names of namesIn(this.#path(folder))) {
      const files: ListedFile[] = []
      for (const name of names) {
        const key = `${folder}${name}`
        const file = await attempt(() => statOf(this.#path(key)))
        if (file?.isFile()) files.push({ key, size: file.size, modifiedAt: file.mtimeMs })
      }
      yield files
    }
  }

  async *unfinished(): AsyncGenerator<Unfinished[]> {
    for await (const files of this.list(`${TEMPORARY}/`)) {
      yield files.map(({ key, modifiedAt }) => ({
        name: `temporary file ${key}`,
        begunAt: modifiedAt,
        remove: () => this.remove(key),
      }))
    }
  }

  check(): Promise<void> {
    return attempt(async () => {
      await mkdir(this.folder, { recursive: true })
      await access(this.folder, constants.R_OK | constants.W_OK | constants.X_OK)
    })
  }

  #path(key: string): string {
    return join(this.folder, key)
  }
}

async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
  } finally {
    await file.close()
  }
}

function copyNew(from: string, to: string): Promise<void> {
  return copyFile(from, to, constants.COPYFILE_EXCL)
}

/** Makes the content of a file, or the names in a folder, survive a power cut. */
async function syncFile(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function statOf(path: string) {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}

/** Yields the names in a folder in batches; none for a missing folder. */
async function* namesIn(path: string): AsyncGenerator<string[]> {
  if ((await attempt(() => statOf(path))) === null) return
  const folder = await attempt(() => opendir(path))
  let names: string[] = []
  for await (const { name } of folder) {
    names.push(name)
    if (names.length < PAGE) continue
    yield names
    names = []
  }
  yield names
}

function kindOf(error: unknown): FailureKind {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'missing'
  return LASTING.has(code) ? 'refused' : 'away'
}
