import logger from '@adonisjs/core/services/logger'
import { setTimeout } from 'node:timers/promises'
import { onCommand, type Outcome, type CommandContext } from '#foundation/jobs/handlers'
import { RETRIES } from '#foundation/jobs/retry'
import { MINUTE, SECOND } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { clipped } from '#foundation/core/text'
import { UsageError } from '#foundation/console/usage_error'
import type { Rehearsed, RehearsalEntry, RehearsalPlan } from '../rehearsal/plan.js'
import { planOfApp } from '../rehearsal/plan_of_app.js'
import { runApart } from '../rehearsal/run_apart.js'
import { fromBox } from '../scenarios/box.js'
import { rehearsalCommand } from './rehearsal_command.js'
import { endRehearsal, storeProgress, rehearsalById, type RehearsalRow } from './rehearsals.js'
import type { KeptRehearsal } from './result.js'
import { releasesOf } from './under_way.js'
import { isOver, MAX_ENTRIES } from './vocabulary.js'

/** Time limit of a rehearsal; the lease has to be longer. */
const TIME_LIMIT = 8 * MINUTE
const LEASE = 12 * MINUTE

/** Interval at which progress is stored, and a stop is noticed. */
const LOOK = 2 * SECOND

/** Maximum length of an entry, in characters. */
const MAX_ENTRY_LENGTH = 400

/** A process plays one at a time: each takes a processor. */
let isPlaying = false

type Played = { result: KeptRehearsal } | { failure: string } | null

/** Plays rehearsals, each in a process of its own. A repetition gives the same result. */
export const playRehearsal = onCommand(rehearsalCommand, {
  actor: 'rehearsal',
  lease: LEASE,
  retry: RETRIES.minutes,
  isRepeatable: true,
  async call({ subject }, context): Promise<Outcome<Played>> {
    const row = await rehearsalById(context.scope, subject)
    if (!row || isOver(row.state)) return { outcome: 'applied', result: null }
    if (isPlaying) {
      const reason = 'Another rehearsal is running'
      return { outcome: 'notApplied', reason, isEarly: true, retryAfterMs: LOOK }
    }
    isPlaying = true
    try {
      return { outcome: 'applied', result: await played(row, context) }
    } finally {
      isPlaying = false
    }
  },
  async storeResult(scope, { subject }, result: Played) {
    if (result) await end(scope, subject, result)
  },
  afterLast: (scope, { subject }, reason) => end(scope, subject, { failure: reason }),
})

async function end(scope: Scope, id: string, result: NonNullable<Played>): Promise<void> {
  await endRehearsal(scope, id, { ...result, state: 'failure' in result ? 'failed' : 'played' })
}

/** @returns null if somebody has stopped it */
async function played(
  row: RehearsalRow,
  { scope, signal, write }: CommandContext
): Promise<Played> {
  const plan = await planOf(scope, row)
  const stop = new AbortController()
  const overdue = AbortSignal.timeout(TIME_LIMIT)
  const entries: RehearsalEntry[] = []
  let count = 0
  let playedTo = plan.begin
  const checking = checkRegularly(stop, () => write((at) => storeProgress(at, row.id, playedTo)))
  try {
    const rehearsed = await runApart(
      plan,
      (each) => {
        count++
        playedTo = each.at
        if (entries.length < MAX_ENTRIES)
          entries.push({ ...each, text: clipped(each.text, MAX_ENTRY_LENGTH) })
      },
      {
        signal: AbortSignal.any([signal, overdue, stop.signal]),
        isBeside: true,
        endedEarly: (how, stderr) =>
          logger.warn({ how, stderr }, 'The process of a rehearsal ended early'),
      }
    )
    return { result: keptOf(rehearsed, plan, entries, count - entries.length) }
  } catch (error) {
    if (stop.signal.aborted) return null
    if (overdue.aborted) return { failure: `It was not over after ${TIME_LIMIT / MINUTE} minutes.` }
    if (error instanceof UsageError) return { failure: error.message }
    throw error
  } finally {
    stop.abort()
    await checking
  }
}

/** Checks regularly whether to continue, until the rehearsal is over. */
async function checkRegularly(
  stop: AbortController,
  mayContinue: () => Promise<boolean>
): Promise<void> {
  try {
    while (await mayContinue()) {
      await setTimeout(LOOK, undefined, { signal: stop.signal, ref: false })
    }
    stop.abort()
  } catch {
    // The rehearsal is over, or the database is unavailable, which storing the result reports.
  }
}

/** Returns the plan of the next weeks of an app, which begins now with its existing releases. */
const planOf = async (scope: Scope, row: RehearsalRow): Promise<RehearsalPlan> => ({
  ...(await planOfApp(scope, row.appId)),
  ...(await releasesOf(scope, row.appId)),
  ...{ scenario: String(await fromBox(row.scenario)), seed: null, hasRepository: false },
  ...{ begin: row.beginsAt, days: 7 * row.weeks },
})

/**
 * Returns the stored part of the result: addresses of endpoints may hold secrets, and without
 * endpoints nothing would be sent.
 */
function keptOf(
  rehearsed: Rehearsed,
  { endpoints }: RehearsalPlan,
  entries: RehearsalEntry[],
  left: number
): KeptRehearsal {
  const { begin, end: to, story, sent, asked: requested, standIns } = rehearsed
  const inChats = sent.filter(({ to: where }) => where.startsWith('#'))
  const webhooks = sent.filter(({ to: where }) => !where.startsWith('#'))
  const count = webhooks.reduce((sum, each) => sum + each.count, 0)
  const all = { to: counted(endpoints.length), count, what: 'webhooks' }
  return {
    ...{ begin, end: to, story, entries, left },
    ...{ asked: requested, standIns },
    sent: [...inChats, ...(endpoints.length > 0 ? [all] : [])],
  }
}

const counted = (endpoints: number) =>
  endpoints === 1 ? 'one webhook endpoint' : `${endpoints} webhook endpoints`
