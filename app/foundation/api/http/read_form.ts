import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Busboy, BusboyHeaders } from '@fastify/busboy'
import { Pace } from '../../core/pace.js'
import { Problem, refuse } from '../../core/problems/problem.js'
import { MAX_DATA } from '../operation/declaration.js'
import { requirePlainEncoding, requireSize, IDLE_MS, sizeName, tooLarge } from './read_body.js'

const FIELD_NAME = /^[A-Za-z0-9_]{1,64}$/

/** Maximum bytes of a form besides its files: `data`, and the heads of the parts. */
const AROUND_FILE = 2 * MAX_DATA

/**
 * The time for which the rest of a refused body is read, in milliseconds, so that its sender
 * receives the reason.
 */
const DISCARD_MS = 5000

/** The client's description of the file. */
interface FileHead {
  /** Without parameters. */
  contentType: string
  fileName: string | undefined
}

/** A multipart body that has arrived. */
interface Form<File> extends FileHead {
  file: File
  /** Further parts `file`, where there may be several. */
  more: (FileHead & { file: File })[]
  /** The text of the part `data`. */
  data: string | undefined
}

interface FormOptions<File> {
  /** Maximum size of each file, in bytes. */
  maxBytes: number
  /** Maximum number of `file` parts; one by default. */
  mostFiles?: number
  /**
   * Consumes a file while it arrives; `index` is 0 for the first. The stream fails with the body.
   */
  take: (file: Readable, index: number) => Promise<File>
  /** True if the part `data` is read; otherwise it is ignored like any other. */
  withData?: boolean
  /** Receives the bytes of the whole body. */
  watch?: (chunk: Buffer) => void
  /** Milliseconds without a KiB after which the body is given up. */
  idleMs?: number
  /** Milliseconds after which the body is given up in any case. */
  wholeMs?: number
}

const malformed = (detail: string) =>
  refuse('malformed_multipart', { detail, headers: { connection: 'close' } })

const fileMissing = () => {
  const message = 'The part "file" is missing: send it with a file name.'
  return refuse('malformed_multipart', {
    detail: message,
    errors: [{ pointer: '/file', code: 'required', message }],
  })
}

const dataTooLarge = () =>
  refuse('too_large', {
    detail: `The part "data" is larger than ${sizeName(MAX_DATA)}.`,
    members: { limit: MAX_DATA },
    headers: { connection: 'close' },
  })

/**
 * Reads a multipart body with one or more file parts `file`, in one pass. It has at most 20 parts,
 * with names of at most 64 characters `[A-Za-z0-9_]`. All calls of `take` have ended when this
 * settles.
 * @throws malformed_multipart, too_large, unsupported_media_type when compressed, and what
 * `take` throws
 */
export async function readForm<File>(
  request: IncomingMessage,
  options: FormOptions<File>
): Promise<Form<File>> {
  requirePlainEncoding(request)
  requireSize(request, wholeSize(options) + AROUND_FILE, wholeSize(options))
  const { Busboy: FormParser } = await import('@fastify/busboy')
  const reader = new FormReader(request, options, parserOf(FormParser, request, options))
  return reader.read()
}

const wholeSize = ({
  maxBytes,
  mostFiles = 1,
}: Pick<FormOptions<unknown>, 'maxBytes' | 'mostFiles'>) => maxBytes * mostFiles

/** Returns a small file in memory. */
export async function inMemory(file: Readable): Promise<Buffer> {
  return Buffer.concat(await file.toArray())
}

type Parser = InstanceType<typeof Busboy>

class FormReader<File> {
  readonly #done = Promise.withResolvers<void>()
  #isSettled = false
  /** True once the body has ended, and once the parser has seen all of its parts. */
  readonly #ends = { body: false, parts: false }
  #size = 0
  readonly #streams: Readable[] = []
  readonly #takings: Promise<File>[] = []
  readonly #heads: FileHead[] = []
  #data: string | undefined

  constructor(
    private readonly request: IncomingMessage,
    private readonly options: FormOptions<File>,
    private readonly parser: Parser
  ) {}

  async read(): Promise<Form<File>> {
    const stop = this.#listen()
    try {
      await this.#done.promise.catch(async (reason: unknown) => {
        // A failure of the disk also breaks the body; then the error of the disk is reported.
        const failures = await Promise.all(
          this.#takings.map((taking) => taking.catch((error: unknown) => error))
        )
        const failure = failures.find((each) => each instanceof Problem && each !== reason)
        if (!failure) throw reason
        await discardRest(this.request)
        throw failure
      })
      const files = await Promise.all(this.#takings)
      if (files.length === 0) throw fileMissing()
      const [first, ...more] = files.map((file, index) => ({ file, ...this.#heads[index] }))
      return { ...first, more, data: this.#data }
    } finally {
      stop()
      await Promise.allSettled(this.#takings)
    }
  }

  /** Listens to the request and the parser. @returns a function that ends that */
  #listen(): () => void {
    const parser = this.parser
    const { request } = this
    const { idleMs = IDLE_MS, wholeMs } = this.options
    const stalled = () => this.#fail(malformed('The body stopped arriving.'))
    const pace = new Pace(idleMs, stalled)
    const whole = wholeMs === undefined ? undefined : setTimeout(stalled, wholeMs)
    const onData = (chunk: Buffer) => {
      pace.see(chunk.length)
      this.#see(chunk)
    }
    const onEnd = () => this.#end('body')
    const onClose = () => {
      if (!request.complete) this.#fail(malformed('The body ended early.'))
    }
    parser.on('file', (name, stream, fileName, _encoding, contentType) =>
      this.#takeFile(name, stream, { contentType, fileName: fileName || undefined })
    )
    parser.on('field', (name, value, _isNameCut, isCut) => this.#takeField(name, value, isCut))
    const { mostFiles = 1 } = this.options
    const most = mostFiles === 1 ? 'one file only' : `${mostFiles} files at most`
    parser.on('filesLimit', () => this.#fail(malformed(`There may be ${most}.`)))
    parser.on('partsLimit', () => this.#fail(malformed('There are too many parts.')))
    parser.on('error', () => this.#fail(malformed('The multipart body is broken.')))
    parser.on('finish', () => this.#end('parts'))
    request.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose)
    request.pipe(parser)
    // A client that is already gone causes no further events.
    if (request.destroyed) onClose()
    return () => {
      pace.end()
      clearTimeout(whole)
      request.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose)
    }
  }

  #see(chunk: Buffer) {
    const { watch } = this.options
    const most = wholeSize(this.options)
    this.#size += chunk.length
    if (this.#size > most + AROUND_FILE) this.#fail(tooLarge(most))
    watch?.(chunk)
  }

  #takeFile(name: string, stream: Readable, head: FileHead) {
    // Without a listener, a part that ends early would end the process.
    stream.on('error', () => this.#fail(malformed('A part ends early.')))
    // After a failure, the remaining bytes are neither read nor awaited.
    if (this.#isSettled) {
      stream.resume()
      return
    }
    if (name !== 'file') {
      const shown = FIELD_NAME.test(name ?? '?') ? name : '?'
      this.#fail(malformed(`There is no file part "${shown}" here.`))
      return
    }
    const { maxBytes, take } = this.options
    stream.on('limit', () => this.#fail(tooLarge(maxBytes)))
    this.#heads.push(head)
    this.#streams.push(stream)
    const taking = take(stream, this.#takings.length)
    this.#takings.push(taking)
    taking.catch((error) => this.#fail(error))
  }

  #takeField(name: string | undefined, value: string, isCut: boolean) {
    if (name === undefined || !FIELD_NAME.test(name)) {
      this.#fail(malformed('A field name is not allowed.'))
    } else if (name === 'data' && this.options.withData) {
      if (isCut) this.#fail(dataTooLarge())
      if (this.#data !== undefined) this.#fail(malformed('There may be one part "data" only.'))
      this.#data = value
    }
  }

  #end(what: 'body' | 'parts') {
    this.#ends[what] = true
    if (!this.#ends.body || !this.#ends.parts || this.#isSettled) return
    this.#isSettled = true
    this.#done.resolve()
  }

  /** Stops reading; the consumer of the file gets the error through its stream. */
  #fail(reason: unknown) {
    if (this.#isSettled) return
    this.#isSettled = true
    this.request.unpipe(this.parser)
    this.request.pause()
    this.#done.reject(reason)
    for (const stream of this.#streams) stream.destroy(reason as Error)
  }
}

/**
 * Reads and discards the rest of a body for a while: a client that is still sending when the
 * connection closes would not see the response.
 */
async function discardRest(request: IncomingMessage): Promise<void> {
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, DISCARD_MS)
  request.once('end', resolve).once('close', resolve).resume()
  await isOver
  clearTimeout(timer)
  request.off('end', resolve).off('close', resolve).pause()
}

/** Makes the parser of a form. @throws malformed_multipart without a boundary */
function parserOf(
  FormParser: typeof Busboy,
  request: IncomingMessage,
  { maxBytes: fileSize, mostFiles: files = 1 }: Pick<FormOptions<unknown>, 'maxBytes' | 'mostFiles'>
): Parser {
  const fieldSize = MAX_DATA
  try {
    return new FormParser({
      headers: request.headers as BusboyHeaders,
      limits: { fieldNameSize: 64, fieldSize, parts: 20, files, fileSize, headerPairs: 20 },
    })
  } catch {
    throw refuse('malformed_multipart', { detail: 'The multipart boundary is missing.' })
  }
}
