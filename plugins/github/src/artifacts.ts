import { PassThrough, Readable } from 'node:stream'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { ProviderError, type CiArtifact, type PluginContext } from '@tarmac/plugin-kit'
import { refused } from './errors.js'

/**
 * Bytes at the end of an archive that are read at once: the longest possible end record, and
 * usually the directory.
 */
const TAIL = 66 * 1024

/** Most files of an archive that are listed. */
const MAX_FILES = 1000

/**
 * Milliseconds for which a link to the storage is reused; GitHub's links are valid for a minute.
 */
const LINK_MS = 45_000

/** Reads parts of an artifact. GitHub redirects to a storage that supports range requests. */
class ArtifactReader extends yauzl.RandomAccessReader {
  #link: { url: string; until: number } | null = null
  #tail: { from: number; bytes: Buffer } | null = null
  #size = 0

  private constructor(
    private readonly ctx: PluginContext,
    private readonly url: string
  ) {
    super()
  }

  /** @throws ProviderError `notFound` for an artifact that has expired */
  static async open(ctx: PluginContext, url: string): Promise<ArtifactReader> {
    const reader = new ArtifactReader(ctx, url)
    // GitHub's `size_in_bytes` is not always the size of the archive.
    const first = await reader.#ask(0, 1)
    reader.#size = Number(/\/(\d+)$/.exec(first.headers.get('content-range') ?? '')?.[1])
    await first.body?.cancel()
    if (Number.isSafeInteger(reader.#size)) return reader
    throw new ProviderError('protocol', 'The storage of the artifact states no size', {
      outcome: 'notApplied',
    })
  }

  get size(): number {
    return this.#size
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const stream = new PassThrough()
    this.#read(start, end).then(
      (source) => source.on('error', (error) => stream.destroy(error)).pipe(stream),
      (error: Error) => stream.destroy(error)
    )
    return stream
  }

  async #read(start: number, end: number): Promise<Readable> {
    const from = Math.max(0, this.#size - TAIL)
    if (start < from || end - start > TAIL) return this.#stream(start, end)
    this.#tail ??= { from, bytes: await collect(await this.#stream(from, this.#size)) }
    return Readable.from([this.#tail.bytes.subarray(start - from, end - from)])
  }

  async #stream(start: number, end: number): Promise<Readable> {
    const { body } = await this.#ask(start, end)
    return Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
  }

  async #ask(start: number, end: number): Promise<Response> {
    // The link is signed. An Enterprise Server may store artifacts itself, so the host alone does
    // not keep the credentials from being sent.
    const response = await this.ctx.fetch(await this.#location(), {
      headers: { range: `bytes=${start}-${end - 1}` },
      download: true,
      anonymous: true,
    })
    if (response.status === 206) return response
    await response.body?.cancel()
    throw refused('notFound', 'The artifact has expired, or cannot be read', 'expired')
  }

  async #location(): Promise<string> {
    const now = this.ctx.now().getTime()
    if (this.#link === null || this.#link.until < now) {
      const { status, headers } = await this.ctx.http.send({
        method: 'GET',
        path: this.url,
        expect: [302],
      })
      const location = headers.get('location')
      if (status !== 302 || location === null) {
        throw new ProviderError('protocol', 'GitHub gives no link to the artifact', {
          outcome: 'notApplied',
        })
      }
      this.#link = { url: location, until: now + LINK_MS }
    }
    return this.#link.url
  }
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function openZip(ctx: PluginContext, url: string): Promise<ZipFile> {
  const reader = await ArtifactReader.open(ctx, url)
  return new Promise((resolve, reject) => {
    yauzl.fromRandomAccessReader(
      reader,
      reader.size,
      { lazyEntries: true, autoClose: false },
      (error, zip) => (error ? reject(error) : resolve(zip))
    )
  })
}

/** An artifact of GitHub, which is a zip archive. */
export interface Archive {
  id: number
  url: string
  expiresAt: string | null
}

/** Lists the files of an archive, reading only its directory. */
export async function filesOf(ctx: PluginContext, archive: Archive): Promise<CiArtifact[]> {
  const files: CiArtifact[] = []
  await eachEntry(ctx, archive, async (_zip, entry) => {
    if (entry.fileName.endsWith('/')) return true
    files.push({
      id: `${archive.id}/${entry.fileName}`,
      name: entry.fileName,
      bytes: entry.uncompressedSize,
      ...(archive.expiresAt ? { expiresAt: archive.expiresAt } : {}),
    })
    return files.length < MAX_FILES
  })
  return files
}

/** Opens one file of an archive as an unpacked stream. @throws ProviderError `notFound` */
export async function openFile(
  ctx: PluginContext,
  archive: Archive,
  name: string
): Promise<ReadableStream<Uint8Array>> {
  let opened: Readable | null = null
  await eachEntry(ctx, archive, async (zip, entry) => {
    if (entry.fileName !== name) return true
    opened = await new Promise<Readable>((resolve, reject) => {
      zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)))
    })
    return false
  })
  if (opened === null) throw refused('notFound', `The artifact holds no file "${name}"`, 'file')
  return Readable.toWeb(opened) as ReadableStream<Uint8Array>
}

/** Iterates over the directory of an archive until `work` returns false. */
async function eachEntry(
  ctx: PluginContext,
  { url }: Archive,
  work: (zip: ZipFile, entry: Entry) => Promise<boolean>
): Promise<void> {
  const zip = await openZip(ctx, url)
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => {
      work(zip, entry).then((goesOn) => (goesOn ? zip.readEntry() : resolve()), reject)
    })
    zip.readEntry()
  })
}
