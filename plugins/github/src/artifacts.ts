import { PassThrough, pipeline, Readable } from 'node:stream'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import {
  codeOfStatus,
  isProviderError,
  ProviderError,
  refused as refusedBy,
  type CiArtifact,
  type PluginContext,
  unless,
} from '@tarmac/plugin-kit'
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

/** Largest file that is read, in bytes. */
const MAX_BYTES = 4 * 1024 ** 3

/**
 * Types of zip archives. A workflow may upload a single file without an archive, such as an `.apk`,
 * which is itself a zip; GitHub's own client tells the two apart by this type and by the address.
 */
const ZIP_TYPE = /^application\/(x-)?zip(-compressed)?\s*(;|$)/i

/** Reads parts of an artifact. GitHub redirects to a storage that supports range requests. */
class ArtifactReader extends yauzl.RandomAccessReader {
  #link: { url: string; until: number } | null = null
  #tail: { from: number; bytes: Buffer } | null = null
  #size = 0
  #isZip = true

  private constructor(
    private readonly ctx: PluginContext,
    private readonly url: string
  ) {
    super()
  }

  /** @throws ProviderError `notFound` for an artifact that has expired */
  static async open(ctx: PluginContext, url: string): Promise<ArtifactReader> {
    const reader = new ArtifactReader(ctx, url)
    // GitHub's `size_in_bytes` is not always the size of the archive. An empty file has no range.
    const { headers, body } = await reader.#ask(0, 1, [206, 416])
    await body?.cancel()
    reader.#size = Number(/\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1])
    const { pathname } = new URL(await reader.#location())
    reader.#isZip = ZIP_TYPE.test(headers.get('content-type') ?? '') || /\.zip$/i.test(pathname)
    if (Number.isSafeInteger(reader.#size)) return reader
    throw refused('protocol', 'The storage of the artifact states no size')
  }

  get size(): number {
    return this.#size
  }

  /** False for a file that was uploaded without an archive. */
  get isZip(): boolean {
    return this.#isZip
  }

  async whole(): Promise<ReadableStream<Uint8Array>> {
    const { body } = this.#size === 0 ? new Response('') : await this.#ask(0, this.#size)
    return body!
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const stream = new PassThrough()
    this.#read(start, end).then(
      // Ends the download too if the reader of the stream gives up.
      (source) => pipeline(source, stream, () => {}),
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

  async #ask(start: number, end: number, expected: readonly number[] = [206]): Promise<Response> {
    // The link is signed. An Enterprise Server may store artifacts itself, so the host alone does
    // not keep the credentials from being sent.
    const location = await this.#location()
    const response = await unless(
      this.ctx.fetch(location, {
        headers: { range: `bytes=${start}-${end - 1}` },
        download: true,
        anonymous: true,
      }),
      ({ detail }) => detail.reason === 'hostNotAllowed'
    )
    if (response === null) throw otherStorage(new URL(location).host)
    const { status } = response
    if (expected.includes(status)) return response
    await response.body?.cancel()
    if (status === 404 || status === 410) {
      throw refused('notFound', 'The artifact has expired', 'expired')
    }
    const message = `The storage of the artifact answered ${status}`
    if (status === 401 || status === 403) throw refusedByStorage(message)
    throw new ProviderError(codeOfStatus(status), message, { outcome: 'notApplied', status })
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
        throw refused('protocol', 'GitHub gives no link to the artifact')
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

/** Its links are signed, so no key of the connection would help. */
const refusedByStorage = (message: string) =>
  refusedBy('forbidden', {
    message: `${message}.`,
    reason: 'storage',
    action: 'Whoever runs the server lets Tarmac read that storage with the links it signs.',
  })

const otherStorage = (host: string) =>
  refusedBy('forbidden', {
    message: `Tarmac does not read artifacts from ${host}.`,
    reason: 'hostNotAllowed',
    action: 'Whoever runs the server stores them on it, or in Azure Blob Storage.',
  })

/** Turns an error about the format into one that people can read. */
const unreadable = (error: Error) =>
  isProviderError(error)
    ? error
    : refused('protocol', `The archive of the artifact cannot be read: ${error.message}`)

function openZip(reader: ArtifactReader): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.fromRandomAccessReader(
      reader,
      reader.size,
      { lazyEntries: true, autoClose: false },
      (error, zip) => (error ? reject(unreadable(error)) : resolve(zip))
    )
  })
}

/** An artifact of GitHub: a zip archive, or a single file. */
export interface Artifact {
  id: number
  name: string
  url: string
  expiresAt: string | null
}

/** Lists the files of an artifact, reading only the directory of an archive. */
export async function filesOf(ctx: PluginContext, artifact: Artifact): Promise<CiArtifact[]> {
  const { id, name, url, expiresAt } = artifact
  const expiry = expiresAt ? { expiresAt } : {}
  const reader = await ArtifactReader.open(ctx, url)
  if (!reader.isZip) return [{ id: String(id), name, bytes: reader.size, ...expiry }]
  const files: CiArtifact[] = []
  await eachEntry(reader, async (_zip, { fileName, uncompressedSize: bytes }) => {
    if (fileName.endsWith('/')) return true
    files.push({ id: `${id}/${fileName}`, name: fileName, bytes, ...expiry })
    return files.length < MAX_FILES
  })
  return files
}

/**
 * Opens an artifact that is a single file, or one file of an archive as an unpacked stream.
 * @param name null for the artifact itself
 * @throws ProviderError `notFound`; `unsupported` for a larger file than is read
 */
export async function openFile(
  ctx: PluginContext,
  artifact: Artifact,
  name: string | null
): Promise<ReadableStream<Uint8Array>> {
  const reader = await ArtifactReader.open(ctx, artifact.url)
  if (name === null) {
    requireReadable(artifact.name, reader.size)
    return reader.whole()
  }
  let opened: Readable | null = null
  await eachEntry(reader, async (zip, entry) => {
    if (entry.fileName !== name) return true
    requireReadable(name, entry.uncompressedSize)
    opened = await new Promise<Readable>((resolve, reject) => {
      zip.openReadStream(entry, (error, stream) =>
        error ? reject(unreadable(error)) : resolve(stream)
      )
    })
    return false
  })
  if (opened === null) throw refused('notFound', `The artifact holds no file "${name}"`, 'file')
  return Readable.toWeb(opened) as ReadableStream<Uint8Array>
}

function requireReadable(name: string, bytes: number): void {
  if (bytes <= MAX_BYTES) return
  throw refused('unsupported', `"${name}" has ${bytes} bytes, and at most 4 GiB are read`, 'size')
}

/** Iterates over the directory of an archive until `work` returns false. */
async function eachEntry(
  reader: ArtifactReader,
  work: (zip: ZipFile, entry: Entry) => Promise<boolean>
): Promise<void> {
  const zip = await openZip(reader)
  await new Promise<void>((resolve, reject) => {
    zip.on('error', (error: Error) => reject(unreadable(error)))
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => {
      work(zip, entry).then((goesOn) => (goesOn ? zip.readEntry() : resolve()), reject)
    })
    zip.readEntry()
  })
}
