import { Problem, refuse } from '../../core/problems/problem.js'
import type { AnyOperation } from '../operation/declaration.js'
import type { OperationRegistry } from '../operation/registry.js'
import { actAndRespond, type AnyCall } from './act_and_respond.js'
import { entityTag, matchesTag } from './entity_tag.js'
import { render, type Rendered } from './render.js'
import { paramsOf } from './targets.js'
import { validateQuery } from './validate.js'

type Precondition = NonNullable<AnyOperation['precondition']>

/** Checks `If-Match`. @throws precondition_failed unless it names the present state */
export async function requireMatch(
  operations: OperationRegistry,
  { or, ...own }: Precondition,
  call: AnyCall,
  ifMatch: string
): Promise<void> {
  const tag = await tagOf(operations, own, call)
  if (matchesTag(ifMatch, tag, false)) return
  if (or && matchesTag(ifMatch, await tagOf(operations, { of: or }, call), false)) return
  throw refuse('precondition_failed', {
    detail: 'If-Match does not name the current state; read it again.',
    headers: { etag: tag },
  })
}

/**
 * Returns the representation that an operation's precondition refers to, or else the one declared
 * by `shownBy`; null if there is none.
 * @param written the response of the write, whose location is where the entity is now
 */
export async function representationOf(
  operations: OperationRegistry,
  { precondition, shownBy }: AnyOperation,
  call: AnyCall,
  written?: Rendered
): Promise<unknown> {
  const shown = precondition ?? (shownBy && shownTo(shownBy, call))
  if (!shown) return null
  try {
    const rendered = await responseOf(operations, shown, call, written)
    const isJson = rendered.headers['content-type']?.includes('json') ?? false
    return isJson ? (JSON.parse(rendered.bytes.toString()) as unknown) : null
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return null
    throw error
  }
}

const shownTo = ({ of, query }: NonNullable<AnyOperation['shownBy']>, { body }: AnyCall) => ({
  of,
  query: () => query?.((body ?? {}) as Record<string, unknown>) ?? {},
})

/** Returns the tag of the representation that an operation's precondition refers to. */
export async function tagOf(
  operations: OperationRegistry,
  precondition: Precondition,
  call: AnyCall,
  written?: Rendered
): Promise<string> {
  return entityTag((await responseOf(operations, precondition, call, written)).bytes)
}

async function responseOf(
  operations: OperationRegistry,
  { of, query }: Precondition,
  call: AnyCall,
  written?: Rendered
): Promise<Rendered> {
  const target = operations.get(of)
  const sent = (call.body ?? {}) as Record<string, unknown>
  const wanted = query?.(call.params, call.query as never, sent) ?? {}
  const location = written?.headers.location ?? written?.headers['content-location']
  const params = location ? { ...call.params, ...paramsOf(target.path, location) } : call.params
  const response = await actAndRespond(target, {
    ...call,
    params,
    body: undefined,
    query: target.query ? await validateQuery(target.query, wanted) : undefined,
  })
  return render(response)
}
