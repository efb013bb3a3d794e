import { Server } from '@tus/server'
import type { Locker } from '@tus/utils'
import { type Problem, refuse } from '../../core/problems/problem.js'
import { tooLarge } from '../http/read_body.js'
import type { OperationResponse } from '../operation/response.js'
import type { Wire } from '../operation/declaration.js'
import { UploadLocks } from './upload_lock.js'
import { tooManyBytes, type UploadStore } from './upload_store.js'
import type { UploadLease } from './upload_lease.js'
import { TUS_VERSION } from './tus_version.js'

/** Milliseconds that a request has to finish when the next request for its upload arrives. */
const DRAIN_MS = 100

/** Serializes requests for the same upload, whichever API key they use. */
const locks = new UploadLocks()

/** A tus request, with the hooks of its kind of upload. */
interface Exchange {
  wire: Wire
  /** The path of the collection that the upload belongs to. */
  path: string
  /** Id of the upload; a new id when one is created. */
  id: string
  store: UploadStore
  /** The lease, if other processes may handle the same upload. */
  lease: UploadLease | null
  /** Maximum size of a file, in bytes. */
  maxBytes: number
  /** Checks that the upload belongs to the collection. @throws not_found */
  requireUpload(): Promise<void>
  /** Checks the metadata of a new upload before it begins. @throws Problem */
  begin(metadata: Record<string, string | null>, length: number): Promise<void>
  /** Processes the complete file. @returns the path of the result */
  finish(): Promise<string>
}

/**
 * Handles a tus 1.0 request with `@tus/server`, which checks offsets, lengths and expiry. Its
 * errors become problems; those of the store and the hooks are problems already.
 * @throws Problem
 */
export async function handleTus(exchange: Exchange): Promise<OperationResponse> {
  const { wire, path, id, store, lease, maxBytes } = exchange
  requireVersion(wire)
  await exchange.requireUpload()
  let refusal: unknown
  const server = new Server({
    path,
    datastore: store,
    maxSize: maxBytes,
    locker: withBody(wire, store, lease?.within(locks) ?? locks),
    lockDrainTimeout: DRAIN_MS,
    namingFunction: () => id,
    getFileIdFromRequest: () => id,
    generateUrl: () => `${path}/${id}`,
    onUploadCreate: async (_request, { metadata = {}, size = 0 }) => {
      await exchange.begin(metadata, size)
      return {}
    },
    onUploadFinish: async () => {
      await lease?.recordFinishing()
      return { headers: { 'Content-Location': await exchange.finish() } }
    },
    onResponseError: (_request, error) => {
      refusal = error
      return undefined
    },
  })
  const response = await server
    .handleWeb(requestOf(wire, `${path}/${id}`) as never)
    .finally(() => lease?.end())
  if (refusal instanceof Error) throw refusal
  if (response.status >= 400)
    throw problemOf(response.status, await response.text(), wire.method, maxBytes)
  return { status: response.status, headers: headersOf(response) }
}

/** Checks the version, because the library responds with 400 where the protocol requires 412. */
function requireVersion({ headers }: Wire): void {
  if (headers['tus-resumable'] === TUS_VERSION) return
  throw refuse('protocol_version', {
    headers: { 'tus-resumable': TUS_VERSION, 'tus-version': TUS_VERSION },
  })
}

/** Wraps locks so that the store gets the body of the request and the signal that aborts it. */
function withBody({ bytes }: Wire, store: UploadStore, locker: Locker): Locker {
  return {
    newLock: (id) => {
      const lock = locker.newLock(id)
      return {
        lock: (signal, requestRelease) => {
          store.incoming = { bytes, signal }
          return lock.lock(signal, requestRelease)
        },
        unlock: () => lock.unlock(),
      }
    },
  }
}

/** Returns the request without its body, and with only the headers of the protocol. */
function requestOf({ method, headers }: Wire, path: string): Request {
  const relevant = Object.entries(headers).filter(([name]) =>
    /^(tus-|upload-|content-(type|length)$)/.test(name)
  ) as [string, string][]
  return new Request(`http://uploads${path}`, { method, headers: relevant })
}

const HEADERS = /^(tus-|upload-|location$|content-location$|cache-control$)/

function headersOf(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].filter(([name]) => HEADERS.test(name)))
}

function problemOf(status: number, text: string, method: string, maxBytes: number): Problem {
  const detail = text.trim()
  const headers = { 'tus-resumable': TUS_VERSION }
  switch (status) {
    case 404:
      return refuse('not_found')
    case 409:
      return refuse('conflict', {
        detail: 'Upload-Offset is not the current offset of the upload. HEAD returns that offset.',
        headers,
      })
    case 410:
      return refuse('upload_gone', { headers })
    case 413:
      if (method !== 'PATCH') return tooLarge(maxBytes)
      return tooManyBytes(headers)
    case 500:
      return refuse('request_running', {
        detail: 'Another request for this upload is still running.',
        headers,
      })
    default:
      return refuse('malformed_request', { detail, headers })
  }
}
