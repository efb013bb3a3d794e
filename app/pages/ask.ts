import { entityTag } from '#foundation/api/execution/entity_tag'
import type { Executor } from '#foundation/api/execution/execute'
import { inputOf, type PlainRequest } from '#foundation/api/execution/input_of'
import { requireIds, followingMoved } from '#foundation/api/execution/moved_ids'
import { problemOf } from '#foundation/api/execution/problem_of'
import type { Rendered } from '#foundation/api/execution/render'
import { isWrite } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'
import type { Principal } from '#foundation/core/principal'
import type { Problem } from '#foundation/core/problems/problem'
import { entryTitle } from './words/plain.js'

/** A page's request to run an operation. */
export type OperationRequest = Pick<PlainRequest, 'params' | 'query' | 'body' | 'ifMatch'> & {
  idempotencyKey?: string | null
}

/** The answer of an operation. */
export interface Reported<Body> {
  body: Body
  /** The entity tag of the body. */
  readonly etag: string
}

/** Runs an operation as the reader, with the same checks and problems as over HTTP. */
export type Ask = <Body = unknown>(
  operationId: string,
  asked?: OperationRequest
) => Promise<Reported<Body>>

/** The outcome of a write: the events that it would record, or why it would be refused. */
export type Outlook = { titles: string[]; problem: null } | { titles: []; problem: Problem }

/** Rehearses a write as the reader: it is carried out and rolled back, and nothing is sent. */
export type Rehearse = (operationId: string, asked: OperationRequest) => Promise<Outlook>

export function rehearseAs(executor: Executor, principal: Principal, baseUrl: string): Rehearse {
  return async (operationId, { params = {}, ...asked }) => {
    const operation = operations.get(operationId)
    const request = {
      params,
      origin: { baseUrl },
      input: () => inputOf(operation, { ...asked, params, strict: true }),
      ifMatch: '*',
    }
    try {
      const titles = await executor.rehearse(operation, principal, request, async ({ events }) =>
        events.map(({ type, title, data = {} }) => entryTitle({ type, title, data }))
      )
      return { titles, problem: null }
    } catch (error) {
      const problem = problemOf(error)
      if (problem.status >= 500) throw error
      return { titles: [], problem }
    }
  }
}

/**
 * Runs the operations of one page as the reader. Identical reads of the page run once, until it
 * writes something.
 * @param baseUrl the address that the reader reaches the service at
 */
export function askAs(executor: Executor, principal: Principal, baseUrl: string): Ask {
  const answers = new Map<string, Promise<Rendered>>()
  const answer = (operationId: string, asked: OperationRequest): Promise<Rendered> => {
    const { params = {}, query } = asked
    const run = () => carryOut(executor, principal, baseUrl, operationId, asked)
    if (isWrite(operations.get(operationId))) return run().finally(() => answers.clear())
    const key = cacheKeyOf(operationId, params, query)
    const running = answers.get(key) ?? run()
    answers.set(key, running)
    return running
  }
  return async <Body>(operationId: string, asked: OperationRequest = {}) => {
    const rendered = await answer(operationId, asked)
    return {
      body: bodyOf(rendered) as Body,
      get etag() {
        return rendered.headers.etag ?? entityTag(rendered.bytes)
      },
    }
  }
}

/** Returns the body of an answer: JSON as a value, parsed if there are only bytes; YAML as text. */
function bodyOf({ body, bytes, headers }: Rendered): unknown {
  const type = headers['content-type'] ?? ''
  if (body !== undefined) return body
  if (type.startsWith('application/yaml')) return bytes.toString()
  return type.startsWith('application/json') ? JSON.parse(bytes.toString()) : body
}

async function carryOut(
  executor: Executor,
  principal: Principal,
  baseUrl: string,
  operationId: string,
  { params = {}, idempotencyKey, ...asked }: OperationRequest
): Promise<Rendered> {
  const operation = operations.get(operationId)
  requireIds(params)
  return followingMoved(params, (present) =>
    executor.execute(operation, principal, {
      params: present,
      origin: { baseUrl },
      // Lets identical reads of the same reader share one answer while nothing changes.
      asked: isWrite(operation) ? undefined : cacheKeyOf(operationId, present, asked.query),
      input: () => inputOf(operation, { ...asked, params: present, strict: true }),
      ifMatch: asked.ifMatch,
      idempotencyKey,
    })
  )
}

const cacheKeyOf = (id: string, params: object, query: object | undefined) =>
  JSON.stringify([id, params, query ?? {}])
