import { constants, crc32, inflateRawSync } from 'node:zlib'
import yauzl, { type Entry, type LocalFileHeader, type ZipFile } from 'yauzl'
import { openSource, Window, type ByteSource, type RemoteFile } from './byte_source.ts'
import { LIMITS } from './limits.ts'
import { Unreadable, bytesAt, reading } from './unreadable.ts'

const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 0x1
const LOCAL_HEADER = 30
const FILE_TYPE = 0o170000
const SYMLINK = 0o120000
/** The number of compressed bytes that `peek` reads. */
const PEEK = 8192

/** An entry as the directory of the archive describes it. */
interface Listed {
  offset: number
  compressedSize: number
  size: number
  method: number
  crc: number
  isEncrypted: boolean
  isSymlink: boolean
  isDuplicate: boolean
  /** The start of the next entry or the directory, which it must not reach. */
  limit: number
}

/** Has yauzl read through a window, so that a directory needs few reads. */
class WindowedReader extends yauzl.RandomAccessReader {
  readonly #window: Window

  constructor(window: Window) {
    super()
    this.#window = window
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void
  ): void {
    this.#window.read(position, length).then(
      (bytes) => callback(null, bytes.copy(buffer, offset)),
      (error: Error) => callback(error)
    )
  }
}

/** A zip archive whose directory was read. Names are only looked up, never used as paths. */
export class Archive {
  readonly #window: Window
  readonly #zip: ZipFile
  readonly #entries: Map<string, Listed>
  /** The beginning of the directory; a signing block of Android precedes it. */
  readonly directoryStart: number

  constructor(window: Window, zip: ZipFile, directoryStart: number, entries: Map<string, Listed>) {
    this.#window = window
    this.#zip = zip
    this.directoryStart = directoryStart
    this.#entries = entries
  }

  names(): IterableIterator<string> {
    return this.#entries.keys()
  }

  /** Yields names with their compressed sizes in bytes. */
  *sizes(): Generator<[name: string, bytes: number]> {
    for (const [name, { compressedSize }] of this.#entries) yield [name, compressedSize]
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /**
   * Reads an entry completely.
   * @param max the maximum size in bytes
   * @param called its name in error messages
   * @throws Unreadable
   */
  async read(name: string, max: number, called: string): Promise<Buffer> {
    const entry = this.#demand(name, called)
    if (entry.size > max) {
      throw new Unreadable(`${called} is larger than ${max} bytes.`)
    }
    if (entry.size > LIMITS.ratio * entry.compressedSize) {
      throw new Unreadable(`${called} is compressed more than ${LIMITS.ratio} to 1.`)
    }
    // Incompressible data grows by at most five bytes per 16 KiB under deflate.
    if (entry.compressedSize > entry.size + entry.size / 1024 + 64) {
      throw new Unreadable(`${called} is longer compressed than it can be.`)
    }
    const start = await this.#startOf(name, entry, called)
    const available = await this.#window.readOnce(start, entry.compressedSize)
    return reading(called, () => {
      const raw = bytesAt(available, 0, entry.compressedSize)
      const bytes =
        entry.method === STORED ? raw : inflateRawSync(raw, { maxOutputLength: entry.size || 1 })
      if (bytes.length !== entry.size || crc32(bytes) !== entry.crc) {
        throw new Unreadable(`${called} is not what the archive says of it.`)
      }
      return bytes
    })
  }

  /** Reads the first bytes of an entry, up to some thousands. @throws Unreadable */
  async peek(name: string, called: string): Promise<Buffer> {
    const entry = this.#demand(name, called)
    const start = await this.#startOf(name, entry, called)
    const raw = await this.#window.readOnce(start, Math.min(entry.compressedSize, PEEK))
    return reading(called, () => {
      if (entry.method === STORED) return raw
      return inflateRawSync(raw, {
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: 2048 * PEEK,
      })
    })
  }

  /** Reads bytes of the file itself. @throws RangeError if there are too few */
  async bytes(start: number, length: number): Promise<Buffer> {
    return bytesAt(await this.#window.readOnce(start, length), 0, length)
  }

  #demand(name: string, called: string): Listed {
    const entry = this.#entries.get(name)
    if (!entry) throw new Unreadable(`${called} is missing.`)
    if (entry.isDuplicate) throw new Unreadable(`${called} is in the archive more than once.`)
    if (entry.isSymlink) throw new Unreadable(`${called} is a link.`)
    if (entry.isEncrypted) throw new Unreadable(`${called} is encrypted.`)
    if (entry.method !== STORED && entry.method !== DEFLATED) {
      throw new Unreadable(`${called} is compressed by a method that is not known.`)
    }
    return entry
  }

  /** Returns the offset of an entry's data, by its local header. */
  async #startOf(name: string, entry: Listed, called: string): Promise<number> {
    const { fileDataStart, fileName } = await this.#localHeader(entry, called)
    if (fileName.toString('utf8') !== name) {
      throw new Unreadable(`${called} has another name in its own header.`)
    }
    if (fileDataStart + entry.compressedSize > entry.limit) {
      throw new Unreadable(`${called} overlaps what lies behind it.`)
    }
    return fileDataStart
  }

  #localHeader({ offset, compressedSize }: Listed, called: string): Promise<LocalFileHeader> {
    const entry = { relativeOffsetOfLocalHeader: offset, compressedSize } as Entry
    return new Promise((resolve, reject) => {
      this.#zip.readLocalFileHeader(entry, (error, header) => {
        if (error) reject(new Unreadable(`${called} is damaged.`, { cause: error }))
        else resolve(header)
      })
    })
  }
}

/**
 * Opens an archive for some work, and reads its directory.
 * @throws Unreadable if it is not a zip archive, or exceeds a limit
 */
export async function withArchive<Result>(
  file: string | RemoteFile,
  work: (archive: Archive) => Promise<Result>
): Promise<Result> {
  const source = openSource(file)
  try {
    return await work(await openArchive(source))
  } finally {
    source.close()
  }
}

async function openArchive(source: ByteSource): Promise<Archive> {
  const { size } = source
  const window = new Window(source)
  const zip = await openZip(window, size)
  // The position from which yauzl reads entries; it does not expose it otherwise.
  const directoryStart = (zip as unknown as { readEntryCursor: number }).readEntryCursor
  if (zip.entryCount > LIMITS.entries) {
    throw new Unreadable(`The archive has more than ${LIMITS.entries} entries.`)
  }
  if (!(directoryStart <= size)) throw new Unreadable('The directory of the archive is cut off.')
  if (size - directoryStart > LIMITS.directoryBytes) {
    const mib = LIMITS.directoryBytes / 1024 / 1024
    throw new Unreadable(`The directory of the archive is larger than ${mib} MiB.`)
  }
  return new Archive(window, zip, directoryStart, await list(zip, directoryStart))
}

function openZip(window: Window, size: number): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false }
  return new Promise((resolve, reject) => {
    yauzl.fromRandomAccessReader(new WindowedReader(window), size, options, (error, zip) => {
      if (error) {
        reject(new Unreadable('It is no zip archive, or it is cut off.', { cause: error }))
      } else {
        resolve(zip)
      }
    })
  })
}

/** The range that an entry takes; the entry is null if its name is too long. */
interface Place {
  start: number
  end: number
  entry: Listed | null
}

async function list(zip: ZipFile, directoryStart: number): Promise<Map<string, Listed>> {
  const entries = new Map<string, Listed>()
  const places: Place[] = []
  await eachEntry(zip, (raw) => {
    // With `decodeStrings` off, names are raw bytes.
    const name = raw.fileName as unknown as Buffer
    const start = raw.relativeOffsetOfLocalHeader
    const end = start + LOCAL_HEADER + name.length + raw.compressedSize
    const entry = name.length > LIMITS.nameBytes ? null : listed(raw)
    places.push({ start, end, entry })
    if (entry === null) return
    const text = name.toString('utf8')
    const before = entries.get(text)
    if (before) before.isDuplicate = true
    else entries.set(text, entry)
  })
  setLimits(places, directoryStart)
  return entries
}

/** Sets the limit of each entry. @throws Unreadable if two entries overlap */
function setLimits(places: Place[], directoryStart: number): void {
  places.sort((one, other) => other.start - one.start)
  let behind = directoryStart
  for (const { start, end, entry } of places) {
    if (end > behind) throw new Unreadable('Entries of the archive overlap.')
    if (entry) entry.limit = behind
    behind = start
  }
}

function listed(raw: Entry): Listed {
  const mode = raw.externalFileAttributes >>> 16
  return {
    offset: raw.relativeOffsetOfLocalHeader,
    compressedSize: raw.compressedSize,
    size: raw.uncompressedSize,
    method: raw.compressionMethod,
    crc: raw.crc32,
    isEncrypted: (raw.generalPurposeBitFlag & ENCRYPTED) !== 0,
    isSymlink: (mode & FILE_TYPE) === SYMLINK,
    isDuplicate: false,
    limit: 0,
  }
}

function eachEntry(zip: ZipFile, take: (entry: Entry) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    zip.on('error', (error) => {
      reject(new Unreadable('The directory of the archive is damaged.', { cause: error }))
    })
    zip.on('end', resolve)
    zip.on('entry', (entry) => {
      take(entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
}
