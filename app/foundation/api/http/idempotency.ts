import { createHash } from 'node:crypto'
import encryption from '@adonisjs/core/services/encryption'
import { later } from '../../core/clock.js'
import { refuse } from '../../core/problems/problem.js'
import type { Scope } from '../../core/scope.js'

/** How long an answer is repeated. */
export const KEPT_MS = 48 * 3600 * 1000
const VISIBLE = /^[\x21-\x7e]{1,255}$/

/** A finished answer, as it is repeated. */
export interface KeptAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export interface IdempotentRequest {
  key: string
  method: string
  /** The declared path, with its parameters unnamed. */
  route: string
  /** Of the address and the bytes sent. */
  fingerprint: string
}

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

export function fingerprint(...parts: (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  return hash.digest('hex')
}

function running() {
  return refuse('request_running', {
    detail: 'A request with this Idempotency-Key is still running.',
    headers: { 'retry-after': '1' },
  })
}

/** Requests with a key that this process is working on. */
const inProcess = new Set<string>()

/**
 * Keeps two requests with the same key apart while the first one runs, in this process.
 * @throws request_running for the second.
 */
export async function exclusively<Result>(
  organizationId: string,
  request: IdempotentRequest | null,
  work: () => Promise<Result>
): Promise<Result> {
  if (!request) return work()
  const name = `${organizationId} ${request.key} ${request.method} ${request.route}`
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
 * @throws idempotency_mismatch, request_running
 */
export async function findKept(
  scope: Scope,
  request: IdempotentRequest
): Promise<KeptAnswer | null> {
  if (scope.client.dialect.name === 'postgres') {
    const lock = `${scope.organization.id} ${request.key} ${request.method} ${request.route}`
    const result = await scope.client.rawQuery(
      'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as free',
      [lock]
    )
    if (!result.rows[0].free) throw running()
  }
  const row = await scope.table('idempotency_keys').where(identity(request)).first()
  if (!row) return null
  if (row.created_at <= later(scope.now, -KEPT_MS)) {
    await scope.table('idempotency_keys').where(identity(request)).delete()
    return null
  }
  if (row.fingerprint !== request.fingerprint) {
    throw refuse('idempotency_mismatch', {
      detail: 'This Idempotency-Key was used for another request.',
    })
  }
  if (row.body === '') return { status: row.status, headers: JSON.parse(row.headers), body: '' }
  const body = encryption.decrypt<string>(row.body, sealPurpose(scope, request))
  if (body === null) throw new Error('A kept answer does not open with the present APP_KEY')
  return { status: row.status, headers: JSON.parse(row.headers), body }
}

/** Keeps an answer in the transaction of its effect. */
export async function keep(
  scope: Scope,
  request: IdempotentRequest,
  answer: KeptAnswer
): Promise<void> {
  await scope.insert('idempotency_keys', [
    {
      ...identity(request),
      fingerprint: request.fingerprint,
      status: answer.status,
      headers: JSON.stringify(answer.headers),
      // An answer may show a secret once; at rest it is encrypted.
      body:
        answer.body && encryption.encrypt(answer.body, { purpose: sealPurpose(scope, request) }),
      created_at: scope.now,
    },
  ])
}

function sealPurpose(scope: Scope, request: IdempotentRequest): string {
  return `idempotency ${scope.organization.id} ${request.key} ${request.method} ${request.route}`
}

function identity(request: IdempotentRequest) {
  return { idempotency_key: request.key, method: request.method, route: request.route }
}
