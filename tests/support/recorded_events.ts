import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestListener } from 'node:http'
import type { ApplicationService } from '@adonisjs/core/types'
import { operations } from '#foundation/api/operation/registry'
import { operationAt } from './contract.js'

/*
 * The public webhook events that an operation records, beside those its declaration lists. The
 * service under test runs in the process of the tests, so a commit is known by the request it
 * happens in, whoever sent it and whatever runs beside it.
 */

/** Types of the public events that operations have recorded, by the operation's id. */
export const recordedEvents = new Map<string, Set<string>>()

const exchanges = new AsyncLocalStorage<{ operationId: string | null }>()
const undeclared = new Set<string>()

/** A listener of the server that lets what is committed be attributed to its request. */
export function attributing(listener: RequestListener): RequestListener {
  return (request, response) => {
    const exchange = { operationId: operationAt(request.method ?? '', request.url ?? '') }
    // The operation does not record events of work that its request leaves running in the
    // background.
    response.once('finish', () => (exchange.operationId = null))
    exchanges.run(exchange, () => listener(request, response))
  }
}

/** Begins to listen to commits: the one place that knows how the service announces them. */
export async function listenToCommits(app: ApplicationService): Promise<void> {
  const emitter = await app.container.make('emitter')
  emitter.on('events:committed', compare)
}

/** These record the events of the operations that they carry out. */
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

/** @throws Error that names each operation and event that do not belong together, once. */
export function demandDeclaredEvents(): void {
  const faults = [...undeclared]
  undeclared.clear()
  if (faults.length > 0) throw new Error(faults.join('; '))
}
