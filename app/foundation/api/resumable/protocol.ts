import { Server } from '@tus/server'
import type { Locker } from '@tus/utils'
import { type Problem, refuse } from '../../core/problems/problem.js'
import { tooLarge } from '../http/read_body.js'
import type { OperationResponse } from '../operation/response.js'
import type { Wire } from '../operation/declaration.js'
import { UploadLocks } from './upload_lock.js'
import { beyondLength, type UploadStore } from './upload_store.js'
import type { UploadLease } from './upload_lease.js'
import { TUS_VERSION } from './tus_version.js'

/**
 * The time that a request gets to end when the next request of its upload arrives, in milliseconds.
 */
const DRAIN_MS = 100

/** Serializes requests of the same upload, whichever key they have. */
const locks = new UploadLocks()

/** A request of the protocol, with what it needs of its kind of upload. */
interface Exchange {
  wire: Wire
  /** The path of the uploads of one place. */
  path: string
  /** Id of the upload in question, or of the new one. */
  id: string
  store: UploadStore
  /** The lease, if other processes may handle the same upload. */
  lease: UploadLease | null
  /** Maximum size of a file, in bytes. */
  maxBytes: number
  /** Refuses an upload that does not belong to this place. @throws not_found */
  requireThere(): Promise<void>
  /** Checks the metadata of a new upload before it begins. @throws the refusal */
  begin(metadata: Record<string, string | null>, length: number): Promise<void>
  /** Processes the whole file as its operation does. @returns the path of the result */
  finish(): Promise<string>
}

/**
 * Answers a request by tus 1.0 through `@tus/server`, which checks versions, offsets, lengths and
 * expiry. Its refusals become problems; those of the store and the hooks are problems already.
 * @throws Problem
 */
export async function speak(exchange: Exchange): Promise<OperationResponse> {
  const { wire, path, id, store, lease, maxBytes } = exchange
  requireVersion(wire)
  await exchange.requireThere()
  let refusal: unknown
  const server = new Server({
    path,
    datastore: store,
    maxSize: maxBytes,
    locker: passingBytes(wire, store, lease?.within(locks) ?? locks),
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

/** Checks the version here, because the library answers 400 where the protocol requires 412. */
function requireVersion({ headers }: Wire): void {
  if (headers['tus-resumable'] === TUS_VERSION) return
  throw refuse('protocol_version', {
    headers: { 'tus-resumable': TUS_VERSION, 'tus-version': TUS_VERSION },
  })
}

/** Wraps locks so that the store gets the bytes of the request, and the signal that ends it. */
function passingBytes({ bytes }: Wire, store: UploadStore, locker: Locker): Locker {
  return {
    newLock: (id) => {
      const lock = locker.newLock(id)
      return {
        lock: (signal, requestRelease) => {
          store.arriving = { bytes, signal }
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
        detail: 'Upload-Offset is not that of the upload; HEAD answers with its offset.',
        headers,
      })
    case 410:
      return refuse('upload_gone', { headers })
    case 413:
      if (method !== 'PATCH') return tooLarge(maxBytes)
      return beyondLength(headers)
    case 500:
      return refuse('request_running', {
        detail: 'Another request of the same upload is still running.',
        headers,
      })
    default:
      return refuse('malformed_request', { detail, headers })
  }
}
