import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestListener } from 'node:http'
import type { ApplicationService } from '@adonisjs/core/types'
import { operations } from '#foundation/api/operation/registry'
import { operationAt } from './contract.js'

/*
 * Compares the public webhook events that an operation records with those that it declares. The
 * service under test runs in the process of the tests, so each commit is attributed to the request
 * whose asynchronous context it happens in.
 */

/** Types of the public events that operations have recorded, by the operation's id. */
export const recordedEvents = new Map<string, Set<string>>()

const exchanges = new AsyncLocalStorage<{ operationId: string | null }>()
const undeclared = new Set<string>()

/** Wraps the listener of the server so that commits can be attributed to their request. */
export function attributing(listener: RequestListener): RequestListener {
  return (request, response) => {
    const exchange = { operationId: operationAt(request.method ?? '', request.url ?? '') }
    // Work that goes on in the background after the answer does not count for the operation.
    response.once('finish', () => (exchange.operationId = null))
    exchanges.run(exchange, () => listener(request, response))
  }
}

/** Begins to listen to commits of the service. */
export async function listenToCommits(app: ApplicationService): Promise<void> {
  const emitter = await app.container.make('emitter')
  emitter.on('events:committed', compare)
}

/** Operations that carry out others, and so record the events of those. */
const CARRY_OTHERS = new Set(['callAgentProtocol'])

function compare(events: readonly { type: string; isPublic: boolean }[]) {
  const operationId = exchanges.getStore()?.operationId
  if (!operationId || CARRY_OTHERS.has(operationId)) return
  const declared = operations.get(operationId).events ?? []
  const recorded = recordedEvents.get(operationId) ?? new Set()
  recordedEvents.set(operationId, recorded)
  for (const { type, isPublic } of events) {
    // An event without a sequence is an entry of a timeline, which no webhook sends.
    if (!isPublic) continue
    recorded.add(type)
    if (!declared.includes(type)) undeclared.add(`${operationId} records ${type} undeclared`)
  }
}

/** @throws Error with each event that an operation recorded undeclared since the last call */
export function requireDeclaredEvents(): void {
  const errors = [...undeclared]
  undeclared.clear()
  if (errors.length > 0) throw new Error(errors.join('; '))
}
