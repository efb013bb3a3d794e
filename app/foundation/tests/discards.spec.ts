import { test } from '@japa/runner'
import { Executor } from '../api/execution/execute.js'
import type { OperationRequest } from '../api/execution/request.js'
import { BoundedQueue, type WriteQueue } from '../api/execution/write_queue.js'
import { ok } from '../api/operation/response.js'
import { admin, operation } from '../api/operation/declaration.js'
import { operations } from '../api/operation/registry.js'
import { Problem, refuse } from '../core/problems/problem.js'
import { changes, unitOfWork } from '../core/services.js'
import { endingWith } from '#tests/support/upload_server'
import { makeWorld, type World } from '#tests/support/world'

/** Executes a write whose input counts how often it was read and discarded. */
async function execute(
  world: World,
  {
    request = {},
    transactions = unitOfWork,
    writeQueue = new BoundedQueue(100),
    handle = () => {},
    fingerprint = 'same',
    requireIfMatch = false,
  }: {
    request?: Partial<OperationRequest>
    transactions?: typeof unitOfWork
    writeQueue?: WriteQueue
    handle?: () => void
    fingerprint?: string
    requireIfMatch?: boolean
  } = {}
) {
  const counts = { read: 0, discarded: 0 }
  const declared = operation({
    id: 'discardForTest',
    method: 'POST',
    path: '/org/{orgId}/discard',
    tag: 'Organization',
    summary: 'Discard for a test',
    description: 'Writes nothing.',
    access: admin,
    responses: { 200: { description: 'Done.' } },
    precondition: { of: 'getOrganization' },
    async handle() {
      handle()
      return ok({})
    },
  })
  const input = async () => {
    counts.read += 1
    const discard = async () => void (counts.discarded += 1)
    return { query: undefined, body: undefined, fingerprint: () => fingerprint, discard }
  }
  const given: OperationRequest = { params: {}, origin: { baseUrl: '' }, input }
  // Copies descriptors, so that a getter stays one.
  Object.defineProperties(given, Object.getOwnPropertyDescriptors(request))
  const principal = {
    ...world.principal,
    organization: { ...world.principal.organization, requireIfMatch },
  }
  const executor = new Executor({ unitOfWork: transactions, changes, operations, writeQueue })
  try {
    const { headers } = await executor.execute(declared, principal, given)
    return { code: headers['idempotent-replayed'] ? 'replayed' : 'done', ...counts }
  } catch (error) {
    return { code: error instanceof Problem ? error.code : String(error), ...counts }
  }
}

test.group('Files that an input has stored', () => {
  test('are not stored if the request is refused before its input is read', async ({ assert }) => {
    const world = await makeWorld()
    const unusable = {
      get idempotencyKey(): string {
        throw refuse('malformed_request')
      },
    }
    const nothing = { read: 0, discarded: 0 }
    assert.deepEqual(await execute(world, { request: unusable }), {
      code: 'malformed_request',
      ...nothing,
    })
    assert.deepEqual(await execute(world, { requireIfMatch: true }), {
      code: 'precondition_required',
      ...nothing,
    })
  })

  test('are discarded once, wherever the write fails afterwards', async ({ assert }) => {
    const world = await makeWorld()
    const request = { idempotencyKey: 'once' }
    const full: WriteQueue = {
      run: async () => {
        throw refuse('not_ready')
      },
    }
    const failing = () => {
      throw refuse('conflict')
    }
    const discardedOnce = { read: 1, discarded: 1 }
    assert.deepEqual(await execute(world, { request, handle: failing }), {
      code: 'conflict',
      ...discardedOnce,
    })
    assert.deepEqual(await execute(world, { request, writeQueue: full }), {
      code: 'not_ready',
      ...discardedOnce,
    })
    const broken = endingWith(refuse('not_stored'), { isDone: false })
    assert.deepEqual(await execute(world, { request, transactions: broken }), {
      code: 'not_stored',
      ...discardedOnce,
    })
    assert.deepEqual(await execute(world, { request: { ifMatch: '"stale"' } }), {
      code: 'precondition_failed',
      ...discardedOnce,
    })

    assert.deepEqual(await execute(world, { request }), { code: 'done', read: 1, discarded: 0 })
    assert.deepEqual(await execute(world, { request }), { code: 'replayed', ...discardedOnce })
    assert.deepEqual(await execute(world, { request, fingerprint: 'other' }), {
      code: 'idempotency_mismatch',
      ...discardedOnce,
    })
  })

  test('are kept if the outcome of the write is unknown', async ({ assert }) => {
    const transactions = endingWith(refuse('outcome_unknown'))
    assert.deepEqual(await execute(await makeWorld(), { transactions }), {
      code: 'outcome_unknown',
      read: 1,
      discarded: 0,
    })
  })
})
