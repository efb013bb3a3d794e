import { createHash } from 'node:crypto'
import encryption from '@adonisjs/core/services/encryption'
import { earlier, type Instant } from '../../core/clock.js'
import { change, of, select } from '../../core/database/statement.js'
import type { Principal } from '../../core/principal.js'
import { refuse } from '../../core/problems/problem.js'
import type { Scope } from '../../core/scope.js'
import type { AnyOperation } from '../operation/declaration.js'
import type { Rendered } from './render.js'
import type { OperationRequest } from './request.js'
import { idempotencyKeys } from './tables.js'

/** The time for which a stored response is repeated, in milliseconds. */
export const RETENTION_MS = 48 * 3600 * 1000
const VISIBLE = /^[\x21-\x7e]{1,255}$/

export interface IdempotentRequest {
  principal: Principal
  key: string
  method: string
  /** The declared path, with parameters instead of values. */
  route: string
  /** Fingerprint of the URL and the body. */
  fingerprint: string
}

/** Returns a request that is safe to repeat; null for one without a key. */
export function idempotentRequest(
  operation: AnyOperation,
  principal: Principal,
  { idempotencyKey: key }: OperationRequest,
  sent: () => string
): IdempotentRequest | null {
  if (!key) return null
  const { method, path: route } = operation
  return { principal, key, method, route, fingerprint: sent() }
}

const SAME = `organization_id = :org and idempotency_key = :key and method = :method and route = :route`
const KEPT = select(
  of(idempotencyKeys, 'k', ['fingerprint', 'asker', 'status', 'headers', 'body', 'createdAt']),
  `from idempotency_keys k where k.${SAME}`
)
const STORED = select(
  of(idempotencyKeys, 'k', ['createdAt']),
  `from idempotency_keys k where k.${SAME}`
)
const FORGET = change(`delete from idempotency_keys where ${SAME}`)

/** Reads the header `Idempotency-Key`. @throws malformed_request when it is not usable. */
export function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header === 'string' && VISIBLE.test(header)) return header
  throw refuse('malformed_request', {
    detail: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    errors: [
      {
        parameter: 'Idempotency-Key',
        code: 'format',
        message: '1 to 255 visible ASCII characters',
      },
    ],
  })
}

/**
 * Returns a hash of the parts. It is keyed, because a request may contain a password, which a
 * reader of the row must not be able to guess.
 */
export function fingerprint(...parts: (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  return encryption.blindIndex(hash.digest('hex'), 'idempotency')
}

function running() {
  return refuse('request_running', {
    detail: 'A request with this Idempotency-Key is still running.',
    retryAfter: 1,
  })
}

/** Requests with a key that this process is carrying out. */
const inProcess = new Set<string>()

/**
 * Refuses a second request with the same key while the first one runs, within this process.
 * @throws request_running for the second.
 */
export async function runExclusive<Result>(
  request: IdempotentRequest | null,
  work: () => Promise<Result>
): Promise<Result> {
  if (!request) return work()
  const name = nameOf(request)
  if (inProcess.has(name)) throw running()
  inProcess.add(name)
  try {
    return await work()
  } finally {
    inProcess.delete(name)
  }
}

/**
 * Looks for the first answer of a repeated request, inside the transaction of the second.
 * @param to who may get the response: anyone in the organization, or only the first requester;
 *   others then do not learn that the key was used
 * @throws idempotency_mismatch, request_running
 */
export async function findResponse(
  scope: Scope,
  request: IdempotentRequest,
  to: 'anyone' | 'asker' = 'anyone'
): Promise<Rendered | null> {
  if (scope.isShared) {
    const result = await scope.client.rawQuery(
      'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as free',
      [nameOf(request)]
    )
    if (!result.rows[0].free) throw running()
  }
  const [row] = await scope.rows(KEPT, identity(request))
  if (!row) return null
  if (!isKept(row, scope)) {
    await scope.change(FORGET, identity(request))
    return null
  }
  if (to === 'asker' && row.asker !== askerOf(request.principal)) return null
  if (row.fingerprint !== request.fingerprint) {
    throw refuse('idempotency_mismatch', {
      detail: 'This Idempotency-Key was used for another request.',
    })
  }
  const headers = { ...row.headers, 'idempotent-replayed': 'true' }
  if (row.body === '') return { status: row.status, headers, bytes: '' }
  const bytes = encryption.decrypt<string>(row.body, nameOf(request))
  if (bytes === null)
    throw new Error('A stored response cannot be decrypted with the present APP_KEY')
  return { status: row.status, headers, bytes }
}

/**
 * Returns whether the response of a request is stored, for any requester: one statement, outside of
 * any transaction. `findResponse` decides whether it may be given.
 */
export async function hasResponse(scope: Scope, request: IdempotentRequest): Promise<boolean> {
  const [row] = await scope.rows(STORED, identity(request))
  return row !== undefined && isKept(row, scope)
}

function isKept({ createdAt }: { createdAt: Instant }, { now }: Scope): boolean {
  return createdAt > earlier(now, RETENTION_MS)
}

/** Keeps a response in the transaction of its effect. */
export async function storeResponse(
  scope: Scope,
  request: IdempotentRequest,
  { status, headers, bytes }: Rendered
): Promise<void> {
  const { key, method, route } = identity(request)
  // A response may show a secret once; at rest it is encrypted.
  const body =
    bytes.length > 0 && encryption.encrypt(bytes.toString(), { purpose: nameOf(request) })
  await scope.insert(idempotencyKeys, [
    {
      idempotencyKey: key,
      method,
      route,
      fingerprint: request.fingerprint,
      asker: askerOf(request.principal),
      status,
      headers,
      body: body || '',
      createdAt: scope.now,
    },
  ])
}

function askerOf({ actor: { type, id } }: Principal): string {
  return `${type} ${id ?? ''}`
}

/**
 * The key belongs to the organization, not to an API key: a client may rotate its key in between.
 */
function identity({ key, method, route }: IdempotentRequest) {
  return { key, method, route }
}

function nameOf({ principal, key, method, route }: IdempotentRequest): string {
  return `idempotency ${principal.organization.id} ${key} ${method} ${route}`
}
