import { Server } from '@tus/server'
import type { Locker } from '@tus/utils'
import { type Problem, refuse } from '../../core/problems/problem.js'
import { tooLarge } from '../http/read_body.js'
import type { Answer } from '../operation/answer.js'
import type { Wire } from '../operation/declaration.js'
import { UploadLocks } from './upload_lock.js'
import { beyondLength, type UploadStore } from './upload_store.js'
import type { UploadLease } from './upload_lease.js'
import { VERSION } from './version.js'

/**
 * The time for which a request continues that must end for the next one of its upload, in
 * milliseconds.
 */
const DRAIN_MS = 100

/** Requests of the same upload follow each other, whichever key they came with. */
const locks = new UploadLocks()

/** A request of the protocol, with the requester's data it needs. */
interface Exchange {
  wire: Wire
  /** The path of the uploads of one place. */
  path: string
  /** Id of the upload in question, or of the new one. */
  id: string
  store: UploadStore
  /** The lease, if other processes may handle the same upload. */
  lease: UploadLease | null
  /** Largest file, in bytes. */
  maxBytes: number
  /** Refuses an upload that is none of this place, whoever is at it. @throws not_found */
  demandThere(): Promise<void>
  /** Looks at what is said of an upload before it is begun. @throws its refusal */
  begin(metadata: Record<string, string | null>, length: number): Promise<void>
  /** Makes of a whole file what it was uploaded for. @returns the path of that */
  finish(): Promise<string>
}

/**
 * Has tus 1.0 spoken by `@tus/server`: versions, offsets, lengths, expiry. What it refuses
 * becomes a problem; what the store and the hooks refuse stays what it is.
 * @throws Problem
 */
export async function speak(exchange: Exchange): Promise<Answer> {
  const { wire, path, id, store, lease, maxBytes } = exchange
  demandVersion(wire)
  await exchange.demandThere()
  let refusal: unknown
  const server = new Server({
    path,
    datastore: store,
    maxSize: maxBytes,
    locker: arriving(wire, store, lease?.within(locks) ?? locks),
    lockDrainTimeout: DRAIN_MS,
    namingFunction: () => id,
    getFileIdFromRequest: () => id,
    generateUrl: () => `${path}/${id}`,
    onUploadCreate: async (_request, { metadata = {}, size = 0 }) => {
      await exchange.begin(metadata, size)
      return {}
    },
    onUploadFinish: async () => {
      await lease?.noteFinishing()
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

/** The library answers another version with 400, where the protocol has 412. */
function demandVersion({ headers }: Wire): void {
  if (headers['tus-resumable'] === VERSION) return
  throw refuse('protocol_version', {
    headers: { 'tus-resumable': VERSION, 'tus-version': VERSION },
  })
}

/** Locks that give the bytes of the request to the store, with what ends it. */
function arriving({ bytes }: Wire, store: UploadStore, locker: Locker): Locker {
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

/** The request without its body, and without what concerns the connection and not the protocol. */
function requestOf({ method, headers }: Wire, path: string): Request {
  const reported = Object.entries(headers).filter(([name]) =>
    /^(tus-|upload-|content-(type|length)$)/.test(name)
  ) as [string, string][]
  return new Request(`http://uploads${path}`, { method, headers: reported })
}

const HEADERS = /^(tus-|upload-|location$|content-location$|cache-control$)/

function headersOf(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].filter(([name]) => HEADERS.test(name)))
}

function problemOf(status: number, text: string, method: string, maxBytes: number): Problem {
  const detail = text.trim()
  const headers = { 'tus-resumable': VERSION }
  switch (status) {
    case 404:
      return refuse('not_found')
    case 409:
      return refuse('conflict', {
        detail: 'Upload-Offset is not where the upload stands; HEAD answers where it does.',
        headers,
      })
    case 410:
      return refuse('upload_gone', { headers })
    case 413:
      if (method !== 'PATCH') return tooLarge(maxBytes)
      return beyondLength(headers)
    case 500:
      return refuse('request_running', {
        detail: 'Another request of the same upload does not end.',
        headers: { ...headers, 'retry-after': '5' },
      })
    default:
      return refuse('malformed_request', { detail, headers })
  }
}
