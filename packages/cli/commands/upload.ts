import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob, statSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { orThrow, TarmacError, type components } from '@tarmac/client'
import { ciBuildOf } from '../ci_build.js'
import { readOwn, statePath, writePrivately } from '../credentials.js'
import { EXIT, Failure, isPassing } from '../exit_codes.js'
import { plain } from '../output.js'
import { Progress, sizeOf } from '../progress.js'
import type { Session } from '../session.js'

type Build = components['schemas']['BuildDistroBuildEntity']

export interface UploadOptions {
  app: string
  bucket: string
  notes?: string
  tag: string[]
  attach: string[]
  branch?: string
  commit?: string
  build?: string
  workflow?: string
  ci?: string
}

/** Version of tus, the protocol of resumable uploads. */
const TUS = { 'Tus-Resumable': '1.0.0' } as const
const BYTES = 'application/offset+octet-stream'
/** Consecutive interruptions without progress before the upload is given up. */
const MAX_INTERRUPTIONS = 5
const FIRST_WAIT_MS = 1000
/** The time for which the service keeps an incomplete upload. */
const KEPT_MS = 48 * 3600 * 1000

/** A file with its content and hash. */
interface LocalFile {
  path: string
  blob: Blob
  sha256: string
}

/** The bucket that a file is uploaded to. */
interface Target {
  appId: string
  bucketId: string
}

/**
 * Uploads a build to a bucket. Resumes an interrupted upload, even one of an earlier run.
 * @param arrived called with the build before its additional files and tags are sent
 */
export async function upload(
  session: Session,
  file: string,
  options: UploadOptions,
  arrived?: (build: { id: string; sha256: string }) => void
): Promise<{ id: string; sha256: string }> {
  const { client, out } = session
  const attachments = await Promise.all(
    options.attach.map(async (path) => ({ name: basename(path), blob: await blobOf(path) }))
  )
  const opened = await open(file)
  const { sha256 } = opened
  const target = { appId: options.app, bucketId: await bucketOf(session, options) }
  const resumable = new ResumableUpload(session.url, target, opened, dataOf(options))
  const location = await send(session, opened, target, resumable)
  const id = decodeURIComponent(location.split('/').at(-1)!)
  arrived?.({ id, sha256 })
  const path = { ...target, buildDistroBuildId: id }
  const one = '/app/{appId}/bucket/{bucketId}/build/{buildDistroBuildId}'
  if (attachments.length > 0) {
    // An earlier run may have attached some of them.
    const { additionalArtifacts } = (await orThrow(client.GET(one, { params: { path } }))) as Build
    const existing = new Set(additionalArtifacts.map(({ fileName }) => fileName))
    for (const each of attachments) if (!existing.has(each.name)) await attach(session, each, path)
  }
  const build =
    options.tag.length > 0
      ? await orThrow(client.PATCH(one, { params: { path }, body: { tags: options.tag } }))
      : await orThrow(client.GET(one, { params: { path } }))
  resumable.forget()
  out.show({ ...build, sha256 }, () => summaryOf(build as Build, opened))
  return { id, sha256 }
}

const summaryOf = ({ id, bucketName, downloadUrl }: Build, { sha256, blob }: LocalFile) =>
  plain(
    `${id} is in ${bucketName} (${sizeOf(blob.size)}).\nSHA-256 ${sha256}\n${downloadUrl ?? ''}`
  )

/** Opens a file. @throws Failure if it cannot be read */
async function blobOf(path: string): Promise<Blob> {
  try {
    if (statSync(path).isFile()) return await openAsBlob(path)
  } catch {
    // Missing and unreadable files are reported below.
  }
  throw new Failure(EXIT.usage, `${path} does not exist or cannot be read.`)
}

async function open(path: string): Promise<LocalFile> {
  const blob = await blobOf(path)
  const hash = createHash('sha256')
  const progress = new Progress('Reading', blob.size)
  let read = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    progress.show((read += chunk.length))
  }
  progress.end()
  return { path, blob, sha256: hash.digest('hex') }
}

/** Finds a bucket by its id, name or type. */
async function bucketOf({ client }: Session, { app, bucket }: UploadOptions): Promise<string> {
  const buckets = await orThrow(
    client.GET('/app/{appId}/bucket', { params: { path: { appId: app } } })
  )
  const wanted = bucket.toLowerCase()
  const found =
    buckets.find(({ id }) => id === bucket) ??
    buckets.find(({ name }) => name.toLowerCase() === wanted) ??
    buckets.find(({ type }) => type === wanted)
  if (found) return found.id
  const names = buckets.map(({ name, type }) => plain(`${name} (${type})`))
  throw new Failure(EXIT.notFound, `${app} has no bucket "${bucket}"; there are:`, names)
}

/** Returns the metadata of the file: its notes and CI build. */
function dataOf({ notes, branch, commit, build, workflow, ci }: UploadOptions): object {
  const detected = ciBuildOf(process.env)
  const ciBuild = {
    ...detected,
    ...(branch ? { branch } : {}),
    ...(commit ? { commitHash: commit } : {}),
    ...(build ? { buildIdentifier: build } : {}),
    ...(ci ? { integrationId: ci } : {}),
    ...(workflow ? { workflowData: { workflowId: workflow, workflowName: workflow } } : {}),
  }
  const isNamed = detected !== null || branch || commit || build || workflow || ci
  return { ...(notes ? { testerNotes: notes } : {}), ...(isNamed ? { ciBuildInfo: ciBuild } : {}) }
}

const UPLOADS = '/app/{appId}/bucket/{bucketId}/uploads'
const ONE = '/app/{appId}/bucket/{bucketId}/uploads/{uploadId}'

/** Sends a file, resuming after interruptions. Returns the path of the new build. */
async function send(
  session: Session,
  file: LocalFile,
  target: Target,
  resumable: ResumableUpload
): Promise<string> {
  const progress = new Progress('Uploading', file.blob.size)
  let interruptions = 0
  let arrived = -1
  try {
    for (;;) {
      try {
        const found = await resumable.find(session)
        interruptions = found.offset > arrived ? 0 : interruptions
        arrived = found.offset
        return found.location ?? (await sendRest(session, file, target, found, progress))
      } catch (error) {
        if (hasChanged(error))
          throw new Failure(
            EXIT.failed,
            `${file.path} changed during the upload. Run the command again.`
          )
        // The service still received what an interrupted request had sent.
        if (isConflict(error) && (await resumable.find(session)).offset > arrived) continue
        if (!isPassing(error) || ++interruptions > MAX_INTERRUPTIONS) throw error
        await sleep(FIRST_WAIT_MS * 2 ** (interruptions - 1))
      }
    }
  } finally {
    progress.end()
  }
}

/** Returns whether the file has changed, so that its blob is no longer readable. */
const hasChanged = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotReadableError' || hasChanged(error.cause))

const isConflict = (error: unknown): boolean =>
  error instanceof TarmacError && error.code === 'conflict'

interface Upload {
  id: string
  offset: number
  location: string | null
}

async function sendRest(
  { client }: Session,
  { blob }: LocalFile,
  target: Target,
  { id, offset }: Upload,
  progress: Progress
): Promise<string> {
  let sent = offset
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      progress.show((sent += chunk.byteLength))
      controller.enqueue(chunk)
    },
  })
  const result = await client.PATCH(ONE, {
    params: {
      path: { ...target, uploadId: id },
      header: { ...TUS, 'Upload-Offset': String(offset) },
    },
    headers: { 'Content-Type': BYTES },
    body: blob.slice(offset).stream().pipeThrough(counted) as unknown as string,
    bodySerializer: (body: unknown) => body as ReadableStream,
    ...({ duplex: 'half' } as object),
  })
  await orThrow(result)
  const location = result.response.headers.get('content-location')
  if (location) return location
  throw new TypeError('The upload ended before the file was complete')
}

/** An upload that an earlier run may have started. The state folder stores its id. */
class ResumableUpload {
  readonly #key: string
  #id: string | undefined

  constructor(
    url: string,
    private readonly target: Target,
    private readonly file: LocalFile,
    private readonly data: object
  ) {
    const identity = JSON.stringify([url, target, file.sha256, data])
    this.#key = createHash('sha256').update(identity).digest('hex')
    this.#id = this.#stored()[this.#key]?.id
  }

  /** Returns the progress of the upload, and starts it if needed. */
  async find({ client }: Session): Promise<Upload> {
    if (this.#id !== undefined) {
      const params = { path: { ...this.target, uploadId: this.#id }, header: TUS }
      const found = await orThrow(client.GET(ONE, { params })).catch((error: unknown) => {
        const isGone = error instanceof TarmacError && [404, 410].includes(error.status)
        return isGone ? null : Promise.reject(error as Error)
      })
      if (found) return found
    }
    const { path, blob, sha256 } = this.file
    const metadata = { filename: basename(path), sha256, data: JSON.stringify(this.data) }
    const header = {
      ...TUS,
      'Upload-Length': String(blob.size),
      'Upload-Metadata': Object.entries(metadata)
        .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
        .join(','),
    }
    const result = await client.POST(UPLOADS, {
      params: { path: this.target, header },
      headers: { 'Content-Type': BYTES },
    })
    await orThrow(result)
    const id = result.response.headers.get('location')!.split('/').at(-1)!
    this.#id = id
    writePrivately(statePath('uploads.json'), {
      ...this.#stored(),
      [this.#key]: { id, at: Date.now() },
    })
    return { id, offset: 0, location: null }
  }

  forget(): void {
    const others = this.#stored()
    delete others[this.#key]
    writePrivately(statePath('uploads.json'), others)
  }

  /** Returns the started uploads that can still be resumed; none if the file is damaged. */
  #stored(): Record<string, { id: string; at: number }> {
    const oldest = Date.now() - KEPT_MS
    try {
      const stored = readOwn(statePath('uploads.json')) as Record<
        string,
        { id: string; at: number }
      > | null
      return Object.fromEntries(Object.entries(stored ?? {}).filter(([, { at }]) => at > oldest))
    } catch {
      return {}
    }
  }
}

/** Attaches an additional file to a build, such as symbols or a report. */
async function attach(
  { client }: Session,
  { name, blob }: { name: string; blob: Blob },
  of: Target & { buildDistroBuildId: string }
): Promise<void> {
  await orThrow(
    client.POST('/app/{appId}/bucket/{bucketId}/build/{buildDistroBuildId}/additionalFiles', {
      params: { path: of },
      body: { file: blob as unknown as string },
      bodySerializer: () => {
        const form = new FormData()
        form.set('file', blob, name)
        return form
      },
    })
  )
}
