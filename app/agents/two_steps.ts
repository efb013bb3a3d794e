import { compareTexts } from '../foundation/core/compare_texts.js'
import { hash } from 'node:crypto'
import type { PlainRequest } from '#foundation/api/execution/input_of'
import type { Rehearsal } from '#foundation/api/execution/request'
import type { Rendered } from '#foundation/api/execution/render'
import type { AnyOperation } from '#foundation/api/operation/declaration'
import { ownParams } from '#foundation/api/operation/parameters'
import { refuse } from '#foundation/core/problems/problem'
import { admitAsking, ask, tryOut, type Caller } from './asking.js'
import { differences, type Difference } from './differences.js'
import { hashOf, printOf, type Plan, type Planned } from './plans.js'
import { bounded, planOf, type ReportedPlan } from './reported_plan.js'

/** A requested write. */
export interface Write {
  operation: AnyOperation
  request: PlainRequest
  /** The arguments that determine the request; a plan is bound to them. */
  content: Readonly<Record<string, unknown>>
}

interface Shown {
  plan: ReportedPlan & Partial<Plan>
  /** The response, if the write can be rehearsed and the response will be the same. */
  rendered?: Rendered
}

/** Describes the effect of a write, for a dry run. */
export async function tried(caller: Caller, write: Write): Promise<Shown> {
  if (write.operation.apart) {
    await admitAsking(caller, write.operation, write.request)
    const message = 'This action calls other systems, so it cannot show a plan.'
    const errors = [{ pointer: '/dryRun', code: 'unknown', message }]
    throw refuse('invalid_input', { detail: message, errors })
  }
  const { reported, rendered } = await rehearsal(caller, write)
  return { plan: reported, ...(rendered && { rendered }) }
}

/** Returns the plan of a write, with the token that confirms it. */
export async function planned(caller: Caller, write: Write): Promise<Shown> {
  const { print, reported, rendered } = await (write.operation.apart
    ? outlook(caller, write)
    : rehearsal(caller, write))
  const plan = caller.plans.write(bindingOf(caller, write), print, caller.clock.now())
  return { plan: { ...plan, ...reported }, ...(rendered && { rendered }) }
}

/**
 * Carries out what a plan showed, once.
 * @throws plan_unknown, plan_stale, plan_used
 */
export async function carriedOut(caller: Caller, write: Write, token: string): Promise<Rendered> {
  const { operation, request } = write
  const expect = caller.plans.expectation(bindingOf(caller, write), token, caller.clock.now())
  if (operation.apart) {
    expect((await outlook(caller, write)).print)
    const isFirst = await caller.executor.useUp(operation, caller.principal, keyOf(token))
    if (!isFirst) throw refuse('plan_used')
    return ask(caller, operation, request)
  }
  const rendered = await ask(caller, operation, request, {
    expect: (would) => expect(printOf(would)),
    // Idempotency keys are stored for longer than a plan is valid.
    idempotencyKey: keyOf(token),
  })
  if (rendered.headers['idempotent-replayed'] === undefined) return rendered
  throw refuse('plan_used')
}

/** Returns the idempotency key that lets a plan be carried out only once. */
const keyOf = (token: string) => `plan-${hash('sha256', token, 'base64url')}`

interface Outlook {
  print: string
  reported: ReportedPlan
  rendered?: Rendered
}

/** Rehearses a write, which is rolled back, and describes its effect. */
async function rehearsal(caller: Caller, write: Write): Promise<Outlook> {
  const { operation, request } = write
  const { appId } = ownParams(operation, caller.principal, request.params ?? {})
  const result = await tryOut(caller, operation, request, async (would, scope) => ({
    print: printOf(would),
    reported: await planOf(scope, would, { body: request.body, appId }),
    ...(isLasting(operation, would) && { rendered: would.rendered }),
  }))
  const changes = await changesByFile(caller, write)
  return changes ? { ...result, reported: bounded({ ...result.reported, changes }) } : result
}

/**
 * Returns whether the response would be the same when the write is done. This is false if it
 * contains something shown only once (a secret or its address), or a new id.
 */
function isLasting({ creates }: AnyOperation, { rendered, rows }: Rehearsal): boolean {
  if (creates) return false
  if (rendered.status !== 201) return true
  const { id } = JSON.parse(rendered.bytes.toString()) as { id?: unknown }
  return typeof id !== 'string' || !rows.isDrawn(id)
}

/** Returns the changes of a configuration file, from the operation's own dry run. */
async function changesByFile(
  caller: Caller,
  { operation, request }: Write
): Promise<Difference[] | null> {
  if (operation.dryRun !== 'changes') return null
  const query = { ...request.query, dryRun: true }
  const { bytes } = await ask(caller, operation, { ...request, query })
  return JSON.parse(bytes.toString()) as Difference[]
}

/** Describes a write that cannot be rehearsed: the current state, and what is requested. */
async function outlook(caller: Caller, { operation, request }: Write): Promise<Outlook> {
  const present = await admitAsking(caller, operation, request)
  const was = present?.state ?? null
  const wanted = Object.entries((request.body ?? {}) as object)
  const is = was && {
    ...was,
    ...Object.fromEntries(wanted.filter(([name]) => Object.hasOwn(was, name))),
  }
  const calls = present ? [{ asks: present.asks, what: operation.id }] : []
  const changes = was && is ? differences(was, is) : []
  const reported = bounded({
    changes,
    destroys: [],
    rights: [],
    calls,
    arms: [],
    messages: [],
    events: (present?.events ?? []).map((each) => ({ ...each, sent: false })),
  })
  return { print: hashOf(was), reported }
}

function bindingOf(caller: Caller, { operation, content }: Write): Planned {
  const { organization, actor } = caller.principal
  return {
    asker: `${organization.id} ${actor.id}`,
    operation: operation.id,
    request: sorted(content),
  }
}

/** Sorts members, so that their order in the request does not matter. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => compareTexts(a, b))
  return entries.map(([name, member]) => [name, sorted(member)])
}
